// The layout of marks on the slate: strokes in bundles of five, sacks and crossed-out sacks in the order
// in which they were written (MV9). Lengths are in units of the drawing.
export type Glyph =
  | { kind: "stroke" | "sack" | "crossed"; x: number; line: number }
  | { kind: "slash"; x: number; line: number; width: number };

export interface StrokeLayout {
  glyphs: Glyph[];
  lines: number;
  width: number;
}

const STROKE = 9;
const SACK = 20;
const GAP = 8;
const BUNDLE = 5;

/**
 * The glyphs of a row of marks such as `||Ø0`: every fifth stroke in a row crosses the four
 * before it. A line longer than `wide` wraps between bundles.
 */
export function layoutStrokes(strokes: string, wide: number): StrokeLayout {
  const glyphs: Glyph[] = [];
  let x = 0;
  let line = 0;
  let width = 0;
  for (const group of groups(strokes)) {
    const length = groupWidth(group);
    if (x > 0 && x + length > wide) {
      x = 0;
      line += 1;
    }
    glyphs.push(...placed(group, x, line));
    width = Math.max(width, x + length);
    x += length + GAP;
  }
  return { glyphs, lines: line + 1, width };
}

/** The marks split into units that stay together: bundles of up to five strokes, single sacks. */
function groups(strokes: string): string[] {
  return strokes.match(/\|{1,5}|0|Ø/g) ?? [];
}

function groupWidth(group: string): number {
  if (!group.startsWith("|")) return SACK;
  return STROKE * Math.min(group.length, BUNDLE - 1);
}

function placed(group: string, x: number, line: number): Glyph[] {
  if (group === "0") return [{ kind: "sack", x, line }];
  if (group === "Ø") return [{ kind: "crossed", x, line }];
  const upright = Math.min(group.length, BUNDLE - 1);
  const strokes: Glyph[] = Array.from({ length: upright }, (_, i) => ({
    kind: "stroke",
    x: x + i * STROKE,
    line,
  }));
  if (group.length === BUNDLE) strokes.push({ kind: "slash", x, line, width: groupWidth(group) });
  return strokes;
}

/** The numbers of marks, for the text next to the drawing. */
export function countStrokes(strokes: string): { tallies: number; sacks: number; crossed: number } {
  const count = (sign: string): number => [...strokes].filter((one) => one === sign).length;
  return { tallies: count("|"), sacks: count("0"), crossed: count("Ø") };
}

/** A constant offset between −1 and 1, so that strokes differ but never move. */
export function jitter(seed: number, salt: number): number {
  const wave = Math.sin(seed * 127.1 + salt * 311.7) * 43758.5453;
  return (wave - Math.floor(wave)) * 2 - 1;
}

/** Whether the next stroke crosses out a sack or null, after these marks (MV9, JS10). */
export function isCrossingOut(marks: readonly string[]): boolean {
  let open = 0;
  for (const sign of marks.join("")) {
    if (sign === "0") open += 1;
    else if (sign === "|" && open > 0) open -= 1;
  }
  return open > 0;
}
