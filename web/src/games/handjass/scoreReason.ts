// Explains the strokes and nulls of Handjass (JS6, JS9, JS10).
import { seatsTiedWith, rankOf } from "../ranking";
import { listNames, m } from "../../i18n";
import { isCrossingOut } from "../strokes";
import type { HandjassView } from "../../api/messages";

const MIN_POINTS = 21;

/** The sentence for a seat in a finished round (`index` counts from 0); empty if it took no part. */
export function scoreReason(
  view: HandjassView,
  index: number,
  seat: number,
  names: readonly string[],
): string {
  const round = view.rounds[index];
  if (!round?.playing.includes(seat) || round.playing.length === 1) return "";
  const { points, marks, playing } = round;
  const mark = marks[seat] ?? "-";
  const before = view.rounds.slice(0, index).map((one) => one.marks[seat] ?? "");
  const of = { mark: wordsOf(mark, isCrossingOut(before)) };
  if ((points[seat] ?? 0) < MIN_POINTS) return m.why_below({ n: MIN_POINTS, ...of });
  if (mark === "||") return m.why_only({ n: MIN_POINTS, ...of });
  const same = seatsTiedWith(points, seat, playing);
  if (same.length > 0 && (mark === "-" || view.options.ties === "generous")) {
    return m.why_tied({ names: listNames(same.map((one) => names[one] ?? "")), ...of });
  }
  const place = rankOf(points, seat, "high", playing);
  if (place === 1) return m.why_highest(of);
  return m.why_place({ place, n: playing.length, ...of });
}

function wordsOf(mark: string, crossing: boolean): string {
  if (mark === "0") return m.why_a_null();
  if (mark === "-") return m.mark_nothing();
  if (mark === "||") return m.mark_two_strokes();
  return crossing ? m.why_a_stroke_crossing() : m.why_a_stroke();
}
