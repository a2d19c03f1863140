import { describe, expect, it } from "vitest";
import { fiftiesPath, hundredsPath, zTotal, twentiesPath, zStrokesFor, Z_WIDTH } from "./zSlate";

const strokes = (path: string): number => path.split("M").length - 1;
const across = (path: string): number[] =>
  [...path.matchAll(/[ML](-?[\d.]+) /g)].map((one) => Number(one[1]));

describe("zStrokesFor", () => {
  it("splits a round into hundreds, fifties, twenties and a rest", () => {
    expect(zStrokesFor([])).toEqual({ hundreds: 0, fifties: 0, twenties: 0, rest: 0 });
    expect(zStrokesFor([157])).toEqual({ hundreds: 1, fifties: 1, twenties: 0, rest: 7 });
    expect(zStrokesFor([96])).toEqual({ hundreds: 0, fifties: 1, twenties: 2, rest: 6 });
    expect(zStrokesFor([257])).toEqual({ hundreds: 2, fifties: 1, twenties: 0, rest: 7 });
  });

  it("keeps earlier strokes and replaces only the rest", () => {
    expect(zStrokesFor([96, 61])).toEqual({ hundreds: 0, fifties: 2, twenties: 2, rest: 17 });
    expect(zStrokesFor([96, 61, 96])).toEqual({ hundreds: 1, fifties: 2, twenties: 2, rest: 13 });
    expect(zStrokesFor([19, 1])).toEqual({ hundreds: 0, fifties: 0, twenties: 1, rest: 0 });
  });

  it("always adds up to the total, with a rest below twenty", () => {
    for (let points = 0; points <= 600; points += 7) {
      for (const rounds of [[points], [points, 157], [3, points, points], [points, 0, 19, 41]]) {
        const written = zStrokesFor(rounds);
        expect(zTotal(written)).toBe(rounds.reduce((sum, one) => sum + one, 0));
        expect(written.rest).toBeLessThan(20);
      }
    }
  });
});

describe("hundredsPath, fiftiesPath and twentiesPath", () => {
  it("draws one stroke for each mark", () => {
    for (const count of [0, 1, 4, 5, 6, 13]) {
      expect(strokes(hundredsPath(count))).toBe(count);
      expect(strokes(fiftiesPath(count))).toBe(count);
      expect(strokes(twentiesPath(count))).toBe(count);
    }
  });

  it("stays on the slate, however many strokes there are", () => {
    for (const path of [hundredsPath(31), twentiesPath(60), fiftiesPath(24)]) {
      for (const x of across(path)) {
        expect(x).toBeGreaterThan(0);
        expect(x).toBeLessThan(Z_WIDTH);
      }
    }
  });
});
