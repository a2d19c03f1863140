// Explains the sticks and potatoes of Molotow (MW4 - MW8).
import { seatsTiedWith, rankOf } from "../ranking";
import { signedChange, listNames, m } from "../../i18n";
import type { MolotowView } from "../../api/messages";

const ALL_POINTS = 157;
const POTATO_POINTS = 100;

/** The sentence for a seat in a finished round; `index` counts from 0. */
export function scoreReason(
  view: MolotowView,
  index: number,
  seat: number,
  names: readonly string[],
): string {
  const round = view.rounds[index];
  if (!round) return "";
  const { points, marks, draw } = round;
  const written = Number(marks[seat] ?? 0);
  const of = { mark: signedChange(written) };
  const most = Math.max(...points);
  if (most >= POTATO_POINTS) {
    const all = most === ALL_POINTS;
    if (points[seat] === most) return all ? m.why_all(of) : m.why_hundred(of);
    const whose = { name: names[points.indexOf(most)] ?? "", ...of };
    return all ? m.why_all_other(whose) : m.why_hundred_other(whose);
  }
  const tied = { names: listNames(seatsTiedWith(points, seat).map((one) => names[one] ?? "")), ...of };
  if (written === 0) return m.why_tied(tied);
  if (draw.length > 0 && written < 0) return m.why_drew(tied);
  if (written < 0) return m.why_between(of);
  return rankOf(points, seat, "high") === 1 ? m.why_highest(of) : m.why_lowest(of);
}
