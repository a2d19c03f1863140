import { describe, expect, it } from "vitest";
import type { Standing } from "../messages";
import { figures, plainText, standingKind } from "./standing";

const of = (one: object): Standing[] => [one as Standing];

describe("a standing", () => {
  it("is written in the way of its game, or plainly", () => {
    expect(standingKind(of({ strokes: "", tallies: 0, sacks: 0 }))).toBe("strokes");
    expect(standingKind(of({ sticks: 0, potatoes: 0, net: 0 }))).toBe("sticks");
    expect(standingKind(of({ chips: 3 }))).toBe("chips");
    expect(standingKind(of({ difference: 3 }))).toBe("totals");
    expect(standingKind(of({ goats: 3 }))).toBe("plain");
    expect(standingKind(of({ strokes: 3 }))).toBe("plain");
    expect(standingKind([])).toBe("plain");
  });

  it("that is shown plainly has a column for each of its figures", () => {
    const standing = [{ goats: -3, leads: true, best: { round: 2 } }, { goats: 0, leads: false }];
    expect(figures(standing as Standing[])).toEqual([
      { key: "goats", texts: ["−3", "0"] },
      { key: "leads", texts: ["✓", "–"] },
      { key: "best", texts: ["round 2", "–"] },
    ]);
    expect(plainText(["a", 1])).toBe("a 1");
  });
});
