// How the packs of each game become hands (C6): a page that has seen its own hand knows whether a pack deals it.

export interface Dealing {
  /** The packets that each seat is dealt, by the number of cards in a hand; null for a number that is never dealt. */
  readonly packets: (size: number) => readonly number[] | null;
  /** Whether a hand only loses cards while it is played. Elsewhere what is left of one says less of the deal. */
  readonly shrinks: boolean;
  /** How many packs since the deal another thing than hands was drawn from, once cards can be played. */
  readonly drawn: (options: Readonly<Record<string, unknown>>) => number;
}

const PACKETS: Record<number, readonly number[]> = { 6: [3, 3], 7: [4, 3], 9: [3, 3, 3], 12: [3, 3, 3, 3] };

const TRICKS: Dealing = { packets: (size) => PACKETS[size] ?? null, shrinks: true, drawn: () => 0 };

const DEALINGS: Readonly<Record<string, Dealing>> = {
  coiffeur: TRICKS,
  // The suit of the trump is that of a card of a further pack (DF2).
  differenzler: { ...TRICKS, drawn: ({ trump }) => (trump === "bottom" ? 0 : 1) },
  // Cards are dealt singly (ID1), laid, and taken up.
  "i-doubt-it": { packets: (size) => Array<number>(size).fill(1), shrinks: false, drawn: () => 0 },
  // A hand may be exchanged for the blind, and the six of trumps for the turned card (JS4, JS5).
  jass: { ...TRICKS, shrinks: false },
  molotov: TRICKS,
  molotow: TRICKS,
  offenbach: TRICKS,
  schieber: TRICKS,
};

/** How a game is dealt; null for one of another package. */
export function dealingOf(game: string): Dealing | null {
  return DEALINGS[game] ?? null;
}
