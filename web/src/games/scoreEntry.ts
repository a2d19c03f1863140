// The default entry of a round in the list of all rounds.
import type { ScoreEntry } from "./GameUi";
import type { View } from "../api/messages";

/** The points and the mark of a seat, with a dash for nothing. */
export function scoreEntry(view: View, index: number, seat: number): ScoreEntry {
  const round = view.rounds[index];
  const mark = round?.marks[seat] ?? "";
  return {
    points: String(round?.points[seat] ?? ""),
    mark: mark === "-" ? "–" : mark.replace("-", "−"),
  };
}
