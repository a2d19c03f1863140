// Points lost per decision, match by match, for the chart. Pure.
import type { MatchMistakes, MistakesByUnit } from "../../api/messages";

/** The number of matches in the running mean. */
export const MEAN_WINDOW = 5;

/** The average loss per decision of a match. */
export function lossPerDecision({ lost, decisions }: Pick<MatchMistakes, "lost" | "decisions">): number {
  return decisions > 0 ? lost / decisions : 0;
}

/** The average loss over several matches, each decision weighted equally; 0 without decisions. */
export function meanLoss(matches: readonly Pick<MatchMistakes, "lost" | "decisions">[]): number {
  const sum = (of: (one: Pick<MatchMistakes, "lost" | "decisions">) => number): number =>
    matches.reduce((total, one) => total + of(one), 0);
  return lossPerDecision({ lost: sum((one) => one.lost), decisions: sum((one) => one.decisions) });
}

/** The mean of each match and those before it, `MEAN_WINDOW` in all; null while there are fewer. */
export function runningMeans(matches: MistakesByUnit["matches"]): (number | null)[] {
  return matches.map((_, index) =>
    index + 1 < MEAN_WINDOW ? null : meanLoss(matches.slice(index + 1 - MEAN_WINDOW, index + 1)),
  );
}

/** Round numbers from 0 to at least the highest value, at most five steps apart. */
export function axisTicks(highest: number): number[] {
  if (!(highest > 0)) return [0, 1];
  const size = 10 ** Math.floor(Math.log10(highest));
  const step = [0.2, 0.5, 1, 2].map((part) => part * size).find((one) => highest / one <= 5) as number;
  const steps = Math.ceil(highest / step - 1e-9);
  return Array.from({ length: steps + 1 }, (_, index) => Number((index * step).toPrecision(6)));
}

/** The number of decimals needed to tell the ticks apart. */
export function tickDecimals(ticks: readonly number[]): number {
  const step = ticks[1] ?? 1;
  return Math.max(0, Math.min(6, Math.ceil(-Math.log10(step) - 1e-9)));
}

/** The games of these matches, in the order of their first match. */
export function gamesPlayed(matches: MistakesByUnit["matches"]): string[] {
  return [...new Set(matches.map((one) => one.game))];
}
