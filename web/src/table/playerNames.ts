// The names of players and seats.
import { m } from "../i18n";
import type { TableState } from "./tableState";
import type { RoomInfo } from "../api/messages";
import { mutedNames } from "./mutedNames.svelte";
import { botPersonas, type Seated } from "./botPersonas";
import { reader } from "./readerSeat.svelte";

/**
 * The name of a seat: the nickname, the first name of a bot, or that it is free.
 * A nickname that the reader has muted is only the number of the seat. Readers who have chosen none are
 * addressed, not called by the word that others see.
 * A bot that plays on for a person who left keeps that person's name.
 */
export function seatName(room: Seated, seat: number): string {
  const info = room.seats[seat];
  if (!info || info.kind === "open") return m.seat_open();
  const name = mutedNames.has(info.name) ? m.seat_n({ n: seat + 1 }) : info.name;
  if (info.kind === "person") return seat === reader.seat && name === m.player_word() ? m.player_you() : name;
  if (info.left) return m.computer_for({ name });
  return botPersonas(room)[seat]?.name ?? m.computer_short();
}

/** The same without a badge beside it: a bot client is marked as one in the name. */
export function seatNameWithKind(room: Seated, seat: number): string {
  const name = seatName(room, seat);
  return room.seats[seat]?.program ? m.program_named({ name }) : name;
}

/** The name of a join request. */
export function requestName({ name, program }: RoomInfo["requests"][number]): string {
  return program ? m.program_named({ name }) : name;
}

/** The names of all seats, in order. */
export function seatNames(room: RoomInfo): string[] {
  return room.seats.map((_, seat) => seatName(room, seat));
}

/** The names by seat; "" for free seats. */
export function occupiedSeatNames(room: RoomInfo): string[] {
  return room.seats.map(({ kind }, seat) => (kind === "open" ? "" : seatName(room, seat)));
}

/** The names of the people, other than the reader, who are not ready yet. */
export function namesNotReady({ room, seat: me }: TableState): string[] {
  return seatsNotReady(room).flatMap((seat) => (seat === me ? [] : [seatName(room, seat)]));
}

/** The seats of people who are not ready yet, except those who are away. */
export function seatsNotReady(room: RoomInfo): number[] {
  return room.seats.flatMap((info, seat) =>
    info.kind === "person" && !info.ready && !info.away ? [seat] : [],
  );
}
