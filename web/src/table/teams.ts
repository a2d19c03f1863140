// Teams and partners. They follow from the seats, so changing seats changes partners.
import { listNames, m } from "../i18n";
import type { RoomInfo } from "../api/messages";
import type { TableState } from "./tableState";
import { seatName } from "./playerNames";

/** The team of a seat as seen by the reader; for spectators the first seat's team is `ours`. */
export type TeamRelation = "ours" | "theirs";

/** Whether the game has partners. */
export function hasPartners(room: RoomInfo): boolean {
  return room.sides.some((side) => side.length > 1);
}

/** The sides, the reader's own first; for spectators in the order of their first seats. */
export function teamsSeenBy(room: RoomInfo, reader: number | null): number[][] {
  const own = room.sides.findIndex((side) => reader !== null && side.includes(reader));
  return own > 0 ? [...room.sides.slice(own), ...room.sides.slice(0, own)] : room.sides;
}

/** The index of a seat's side; the reader's own is 0. */
export function teamIndex(room: RoomInfo, seat: number, reader: number | null): number {
  return teamsSeenBy(room, reader).findIndex((side) => side.includes(seat));
}

/** The other seats of a seat's side; none if everybody plays alone. */
export function partnersOf(room: RoomInfo, seat: number): number[] {
  const side = room.sides.find((seats) => seats.includes(seat)) ?? [];
  return side.filter((one) => one !== seat);
}

/**
 * The future partners of a person who moves from the seat `from` to `to`, whose holder takes their seat in
 * return: the seats where these partners sit now. A newcomer's `from` is null.
 */
export function partnersAfterMove(room: RoomInfo, to: number, from: number | null): number[] {
  return partnersOf(room, to).map((seat) => (seat === from ? to : seat));
}

/** The seats whose people ask the person on this seat to swap. */
export function swapRequesters(room: RoomInfo, seat: number): number[] {
  return room.seats.flatMap((info, other) => (info.asks === seat ? [other] : []));
}

/** The sides at a table, the reader's own first; none if everybody plays alone. */
export function teamsOf({ room, seat }: TableState): number[][] {
  return hasPartners(room) ? teamsSeenBy(room, seat) : [];
}

/** The seats that play together with this one, itself included; itself alone without sides. */
export function partners(state: TableState, seat: number): number[] {
  return teamsOf(state).find((those) => those.includes(seat)) ?? [seat];
}

/** The team of a seat as seen by the reader; null if everybody plays alone. */
export function teamRelation(state: TableState, seat: number): TeamRelation | null {
  if (!hasPartners(state.room)) return null;
  return teamIndex(state.room, seat, state.seat) === 0 ? "ours" : "theirs";
}

/** Whether a seat is the reader's partner. */
export function isPartner(state: TableState, seat: number): boolean {
  return state.seat !== null && partnersOf(state.room, state.seat).includes(seat);
}

/** The name of a side: "us" and "them", or by its players for spectators. */
export function teamName(state: TableState, seats: readonly number[]): string {
  if (state.seat === null) return teamPlayerNames(state, seats);
  return seats.includes(state.seat) ? m.side_ours() : m.side_theirs();
}

/** The names of a side's players as a list. */
export function teamPlayerNames(state: TableState, seats: readonly number[]): string {
  return listNames(seats.map((seat) => seatName(state.room, seat)));
}
