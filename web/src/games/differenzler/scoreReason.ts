// Explains how a bid of Differenzler was met (DF6, DF8).
import { signedChange, m } from "../../i18n";
import type { DifferenzlerView } from "../../api/messages";

/** The sentence for a seat in a finished round; `index` counts from 0. */
export function scoreReason(view: DifferenzlerView, index: number, seat: number): string {
  const round = view.rounds[index];
  const off = (round?.points[seat] ?? 0) - (round?.bids[seat] ?? 0);
  const written = Number(round?.marks[seat] ?? 0);
  if (off > 0) return m.why_too_many({ n: off });
  if (off < 0) return m.why_too_few({ n: -off });
  return written < 0 ? m.why_exact_bonus({ mark: signedChange(written) }) : m.why_exact();
}
