import { describe, expect, it } from "vitest";
import { countStrokes, layoutStrokes, jitter } from "./strokes";

const kinds = (strokes: string, wide = 400): string =>
  layoutStrokes(strokes, wide)
    .glyphs.map((glyph) => ({ stroke: "|", slash: "/", sack: "0", crossed: "Ø" })[glyph.kind])
    .join("");

describe("layoutStrokes, countStrokes and jitter", () => {
  it("draws every mark in the order in which it was written", () => {
    expect(kinds("||Ø0")).toBe("||Ø0");
  });

  it("crosses every four strokes with the fifth", () => {
    expect(kinds("|||||")).toBe("||||/");
    expect(kinds("|||||||")).toBe("||||/||");
  });

  it("begins a new bundle after a sack", () => {
    expect(kinds("|||0||")).toBe("|||0||");
  });

  it("never lets two marks overlap", () => {
    const { glyphs } = layoutStrokes("||0Ø|||||0|", 400);
    const upright = glyphs.filter((glyph) => glyph.kind !== "slash");
    for (const [i, glyph] of upright.slice(1).entries()) {
      expect(glyph.x).toBeGreaterThan(upright[i]?.x ?? Infinity);
    }
  });

  it("continues on a new line when a row is full", () => {
    const { glyphs, lines, width } = layoutStrokes("|".repeat(20), 100);
    expect(lines).toBe(2);
    expect(width).toBeLessThanOrEqual(100);
    expect(new Set(glyphs.map((glyph) => glyph.line))).toEqual(new Set([0, 1]));
  });

  it("is empty for a player without marks", () => {
    expect(layoutStrokes("", 100)).toEqual({ glyphs: [], lines: 1, width: 0 });
  });

  it("counts the marks that the drawing shows", () => {
    expect(countStrokes("||Ø0|")).toEqual({ tallies: 3, sacks: 1, crossed: 1 });
  });

  it("shifts each stroke a little, and always by the same amount", () => {
    for (let seed = 0; seed < 50; seed++) {
      expect(Math.abs(jitter(seed, 1))).toBeLessThanOrEqual(1);
      expect(jitter(seed, 1)).toBe(jitter(seed, 1));
    }
    expect(jitter(1, 1)).not.toBe(jitter(2, 1));
  });
});
