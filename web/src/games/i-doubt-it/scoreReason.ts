// Explains why chips changed hands at the end of a deal of I Doubt It (ID6, ID8).
import { listNames, m } from "../../i18n";
import type { IDoubtItRound } from "../../api/messages";

/** The sentence for a seat in a finished deal. */
export function scoreReason(round: IDoubtItRound, seat: number, names: readonly string[]): string {
  const own = round.left[seat] ?? 0;
  const fewest = Math.min(...round.left);
  const first = [...round.left.keys()].filter((one) => round.left[one] === fewest);
  const name = listNames(first.filter((one) => one !== seat).map((one) => names[one] ?? ""));
  if (fewest === 0) return own === 0 ? m.why_out() : m.why_pays_left({ n: own, name });
  if (first.length > 1) return own === fewest ? m.why_fewest_tied() : m.why_nobody_pays();
  return own === fewest ? m.why_fewest() : m.why_pays_more({ n: own - fewest, name });
}
