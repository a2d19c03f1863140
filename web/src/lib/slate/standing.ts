// Which of the ways to write a standing this page knows is that of a game; any other is shown whole,
// each figure under its own name.
import type { Standing } from "../messages";

export type StandingKind = "strokes" | "sticks" | "chips" | "totals" | "plain";

/** How the standing of a match is written. */
export function standingKind(standing: readonly Standing[]): StandingKind {
  const first = standing[0];
  if (typeof first?.strokes === "string") return "strokes";
  if (typeof first?.sticks === "number" && typeof first.net === "number") return "sticks";
  if (typeof first?.chips === "number") return "chips";
  if (typeof first?.difference === "number") return "totals";
  return "plain";
}

/** The figures of each seat, by their keys. */
export function figures(standing: readonly Standing[]): { key: string; texts: string[] }[] {
  const rows = standing as readonly Record<string, unknown>[];
  return Object.keys(rows[0] ?? {}).map((key) => ({
    key,
    texts: rows.map((row) => plainText(row[key])),
  }));
}

/** A piece of JSON in few signs: `−3`, `✓`, `goats 4, round 1`. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined || value === "" || value === false) return "–";
  if (value === true) return "✓";
  if (Array.isArray(value)) return value.map(plainText).join(" ") || "–";
  if (typeof value === "object") {
    const parts = Object.entries(value).map(([key, one]) => `${key} ${plainText(one)}`);
    return parts.join(", ") || "–";
  }
  return typeof value === "number" ? String(value).replace("-", "−") : String(value);
}
