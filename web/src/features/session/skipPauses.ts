// Whether the reader may skip the pauses of bots, by the same rules as the server's.
import { gameUiOf } from "../../games/registry";
import type { TableState } from "../../table/tableState";

/** The seats whose people are present. */
function present({ room }: TableState): number[] {
  return room.seats.flatMap(({ kind, away }, seat) => (kind === "person" && !away ? [seat] : []));
}

/** Whether only bots are on turn now. */
function computersMove(state: TableState): boolean {
  const { room, view, hint } = state;
  const toAct = view?.to_act ?? [];
  const people = present(state);
  const moving = toAct.length > 0 && toAct.every((seat) => !people.includes(seat));
  return moving && room.phase === "playing" && !hint?.wait;
}

/** Whether the reader may skip the next bot's pause: no other person is watching. */
export function canSkipPause(state: TableState): boolean {
  const { seat, room } = state;
  if (seat === null || !computersMove(state)) return false;
  return present(state).every((one) => one === seat || room.seats[one]?.program);
}

/** Whether all people at the table, the reader included, have nothing left to do in this round. */
export function canSkipToRoundEnd(state: TableState): boolean {
  const { seat, room, view } = state;
  if (seat === null || room.phase !== "playing" || !view) return false;
  return [seat, ...present(state)].every((one) => gameUiOf(room.game).isWatching(view, one));
}
