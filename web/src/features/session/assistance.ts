// The assistance a reader has during a round: a tutorial, or hints.
import { gameUiOf } from "../../games/registry";
import type { TableState } from "../../table/tableState";

/** Whether the reader is in the round of a tutorial, on the learner's seat. */
export function hasTutorial({ room, seat, view }: TableState): boolean {
  const first = room.number === 1 && view?.rounds.length === 0;
  return room.guided && seat === 0 && first && room.phase === "playing";
}

/** Whether the reader may request hints. */
export function hasHints({ room, seat, view }: TableState): boolean {
  if (!room.hints || seat === null || room.phase !== "playing") return false;
  return !gameUiOf(room.game).isWatching(view, seat);
}
