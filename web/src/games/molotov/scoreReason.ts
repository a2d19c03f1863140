// Explains the marks of Molotov and Offenbach Molotov (MV8, MV9, C11).
import { seatsTiedWith, rankOf } from "../ranking";
import { listNames, m } from "../../i18n";
import { isCrossingOut } from "../strokes";
import type { MolotovView } from "../../api/messages";

/** The sentence for a seat in a finished round; `index` counts from 0. */
export function scoreReason(
  view: MolotovView,
  index: number,
  seat: number,
  names: readonly string[],
): string {
  const round = view.rounds[index];
  if (!round) return "";
  const { points, marks } = round;
  const before = view.rounds.slice(0, index).map((one) => one.marks[seat] ?? "");
  const mark = marks[seat] ?? "-";
  const same = seatsTiedWith(points, seat);
  const place = rankOf(points, seat, "low");
  const of = { mark: wordsOf(mark, isCrossingOut(before)) };
  if (same.length > 0 && (mark === "-" || view.options.ties === "generous")) {
    return m.why_tied({ names: listNames(same.map((one) => names[one] ?? "")), ...of });
  }
  if (place === 1) return m.why_lowest(of);
  if (place + same.length === points.length) return m.why_highest(of);
  return m.why_place({ place, n: points.length, ...of });
}

function wordsOf(mark: string, crossing: boolean): string {
  if (mark === "0") return m.why_a_sack();
  if (mark === "-") return m.mark_nothing();
  return crossing ? m.why_a_tally_crossing() : m.why_a_stroke();
}
