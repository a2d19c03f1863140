// Who plays with whom, where a game is played in sides: the standing names the side of each seat.
import { listed, m } from "../i18n";
import type { TableState } from "../protocol/fold";
import { seatName } from "./players";

/** Whose side a seat is on, as its reader sees it; those who watch tell `first` and `second` apart. */
export type Camp = "ours" | "theirs";

/** The side of a seat; null where everybody plays alone, or before the match. */
export function sideOf(state: TableState, seat: number): number | null {
  return state.view?.standing[seat]?.side ?? null;
}

/** The seats of each side, the reader's own first; none where everybody plays alone. */
export function sides(state: TableState): number[][] {
  const found = new Map<number, number[]>();
  for (const [seat, { side }] of (state.view?.standing ?? []).entries()) {
    if (side !== undefined) found.set(side, [...(found.get(side) ?? []), seat]);
  }
  const seats = [...found].sort(([one], [other]) => one - other).map(([, those]) => those);
  const own = seats.findIndex((those) => state.seat !== null && those.includes(state.seat));
  return own > 0 ? [...seats.splice(own, 1), ...seats] : seats;
}

/** The seats that play together with this one, itself included; itself alone without sides. */
export function partners(state: TableState, seat: number): number[] {
  return sides(state).find((those) => those.includes(seat)) ?? [seat];
}

/** The camp of a seat: that of the reader, or for those who watch that of the first seat. */
export function campOf(state: TableState, seat: number): Camp | null {
  if (sideOf(state, seat) === null) return null;
  return sideOf(state, seat) === sideOf(state, state.seat ?? 0) ? "ours" : "theirs";
}

/** Whether a seat is the reader's partner. */
export function isPartner(state: TableState, seat: number): boolean {
  return state.seat !== null && seat !== state.seat && partners(state, state.seat).includes(seat);
}

/** What a side is called: from within, or by its players. */
export function sideName(state: TableState, seats: readonly number[]): string {
  if (state.seat === null) return playersOf(state, seats);
  return seats.includes(state.seat) ? m.side_ours() : m.side_theirs();
}

/** The players of a side in a row. */
export function playersOf(state: TableState, seats: readonly number[]): string {
  return listed(seats.map((seat) => seatName(state.room, seat)));
}
