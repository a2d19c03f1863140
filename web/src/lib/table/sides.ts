// Who plays with whom: it follows from the seats, so that whoever changes his chooses a partner.
import type { Room } from "../messages";

/** Whether anybody plays with somebody else in this game. */
export function hasPartners(room: Room): boolean {
  return room.sides.some((side) => side.length > 1);
}

/** The number of the side of a seat, in the order of the first seat of each. */
export function sideOf(room: Room, seat: number): number {
  return room.sides.findIndex((side) => side.includes(seat));
}

/** The other seats of the side of a seat; none where everybody plays alone. */
export function partnersOf(room: Room, seat: number): number[] {
  const side = room.sides[sideOf(room, seat)] ?? [];
  return side.filter((one) => one !== seat);
}

/**
 * With whom the person of the seat `from` would play on the seat `to`, whose holder would come to
 * his in return: the seats where these sit now. Nobody moves for a newcomer, whose `from` is null.
 */
export function partnersAt(room: Room, to: number, from: number | null): number[] {
  return partnersOf(room, to).map((seat) => (seat === from ? to : seat));
}

/** The seats whose people ask the one of this seat to swap. */
export function askers(room: Room, seat: number): number[] {
  return room.seats.flatMap((info, other) => (info.asks === seat ? [other] : []));
}
