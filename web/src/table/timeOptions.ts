// The times that can be chosen for a table, and their labels.
import { m } from "../i18n";
import type { NewTable } from "../api/messages";

export type ThinkingTime = NonNullable<NewTable["thinking_time"]> | null;

/** The default seconds per turn at tables for two or more people. */
const DEFAULT_THINKING_TIME_S = 60;

/** The default first; `unlimited` means no limit. */
export const THINKING_TIMES: readonly ThinkingTime[] = [null, 15, 30, 120, "unlimited"];

/** Seconds for all turns of a match together. */
export const MATCH_TIMES: readonly (number | null)[] = [null, 300, 600, 900, 1800, 3600];

/** A number of seconds or minutes per turn, in words. */
export function turnTimeText(seconds: number): string {
  return seconds < 120
    ? m.thinking_time_seconds({ n: seconds })
    : m.thinking_time_minutes({ n: seconds / 60 });
}

/** A choice of thinking time, in words. */
export function thinkingTimeText(time: ThinkingTime): string {
  if (time === null) return m.thinking_time_usual({ n: DEFAULT_THINKING_TIME_S });
  return time === "unlimited" ? m.thinking_time_none() : turnTimeText(time);
}

/** A choice of time for the match, in words. */
export function matchTimeText(seconds: number | null): string {
  return seconds === null ? m.thinking_time_none() : m.match_time_minutes({ n: seconds / 60 });
}
