// The host of a table: who it is, and what they may do now.
import type { RoomInfo } from "../api/messages";
import type { TableState } from "./tableState";

/** Whether the reader is the host, with a seat or without. */
export function isHost({ room, seat, host }: TableState): boolean {
  return room.host === null ? host : room.host === seat;
}

/** Whether the reader may begin the match. */
export function canStart(state: TableState): boolean {
  return isHost(state) || (state.seat !== null && state.room.starters === "all");
}

export type HostSeatAction = "remove" | "give" | "open";

/** What the host may do with a seat now: remove the player, give it to a bot, open it again. */
export function hostSeatActions(
  { phase, seats }: RoomInfo,
  seat: number,
  own: number | null,
): HostSeatAction[] {
  const info = seats[seat];
  if (!info || phase === "playing" || phase === "closed") return [];
  if (info.kind === "person") return seat === own ? [] : ["remove"];
  if (info.kind === "open" || info.left) return ["give"];
  return phase === "between" ? [] : ["open"];
}

/** The seats of missing people that the reader may let a bot play for. */
export function seatsToTakeOver({ room, seat, missing }: TableState): number[] {
  if (seat === null || (room.phase !== "playing" && room.phase !== "between")) return [];
  return room.seats.flatMap((info, one) =>
    one !== seat && missing[one] && info.kind === "person" && !info.away ? [one] : [],
  );
}
