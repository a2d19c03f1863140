// The seat of the reader at the table on the page.

class ReaderSeat {
  /** Null for a spectator, and where no table is shown. */
  seat = $state<number | null>(null);
}

export const reader = new ReaderSeat();
