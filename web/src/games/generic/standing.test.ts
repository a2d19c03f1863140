import { describe, expect, it } from "vitest";
import type { Standing } from "../../api/narrowGameView";
import { standingColumns, standingValueText } from "./standing";

describe("standingColumns and standingValueText", () => {
  it("makes a column for each figure of the standing", () => {
    const standing = [
      { goats: -3, leads: true, best: { round: 2 } },
      { goats: 0, leads: false },
    ];
    expect(standingColumns(standing as Standing[])).toEqual([
      { key: "goats", texts: ["−3", "0"] },
      { key: "leads", texts: ["✓", "–"] },
      { key: "best", texts: ["round 2", "–"] },
    ]);
    expect(standingValueText(["a", 1])).toBe("a 1");
  });
});
