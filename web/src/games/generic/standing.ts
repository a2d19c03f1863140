// The standing of a game unknown to this page: each figure under its own name.
import type { Standing } from "../../api/narrowGameView";

/** The figures of all seats, by key. */
export function standingColumns(standing: readonly Standing[]): { key: string; texts: string[] }[] {
  const rows = standing as readonly Record<string, unknown>[];
  return Object.keys(rows[0] ?? {}).map((key) => ({
    key,
    texts: rows.map((row) => standingValueText(row[key])),
  }));
}

/** A JSON value as short text: `−3`, `✓`, `goats 4, round 1`. */
export function standingValueText(value: unknown): string {
  if (value === null || value === undefined || value === "" || value === false) return "–";
  if (value === true) return "✓";
  if (Array.isArray(value)) return value.map(standingValueText).join(" ") || "–";
  if (typeof value === "object") {
    const parts = Object.entries(value).map(([key, one]) => `${key} ${standingValueText(one)}`);
    return parts.join(", ") || "–";
  }
  return typeof value === "number" ? String(value).replace("-", "−") : String(value);
}
