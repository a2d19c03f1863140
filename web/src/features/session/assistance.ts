// The assistance a reader has during a round: a tutorial, or hints.
import { gameUiOf } from "../../games/registry";
import type { TableState } from "../../table/tableState";

/** Whether the coach of a guided round speaks to the reader: in its one round, to the one who learns. */
export function hasTutorial({ room, seat, view }: TableState): boolean {
  const first = room.number === 1 && view?.rounds.length === 0;
  return room.guided && seat === 0 && first && room.phase === "playing";
}

/** Whether the reader may ask what a computer would do. */
export function hasHints({ room, seat, view }: TableState): boolean {
  if (!room.hints || seat === null || room.phase !== "playing") return false;
  return !gameUiOf(room.game).isWatching(view, seat);
}
