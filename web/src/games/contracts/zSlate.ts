// The slate of Schieber: hundreds on the upper line of a Z, fifties on its diagonal, twenties on the lower
// line, and the remainder as a number. Strokes stay as they were made; only the remainder is rewritten.
// Lengths are in units of the drawing.
import { jitter } from "../strokes";

export interface ZStrokes {
  hundreds: number;
  fifties: number;
  twenties: number;
  /** The remainder below twenty. */
  rest: number;
}

/** The strokes on the slate after these points were written, round by round. */
export function zStrokesFor(rounds: readonly number[]): ZStrokes {
  const slate: ZStrokes = { hundreds: 0, fifties: 0, twenties: 0, rest: 0 };
  for (const points of rounds) {
    let left = slate.rest + points;
    slate.hundreds += Math.floor(left / 100);
    left %= 100;
    slate.fifties += Math.floor(left / 50);
    left %= 50;
    slate.twenties += Math.floor(left / 20);
    slate.rest = left % 20;
  }
  return slate;
}

/** The points that a slate represents. */
export function zTotal({ hundreds, fifties, twenties, rest }: ZStrokes): number {
  return 100 * hundreds + 50 * fifties + 20 * twenties + rest;
}

export const Z_WIDTH = 300;
export const Z_HEIGHT = 132;

const LEFT = 12;
const RIGHT = 288;
const TOP = 24;
const BOTTOM = 108;
/** Half the length of a stroke, which crosses its line. */
const STROKE_REACH = 13;
/** The distance between strokes, and the extra distance after a bundle. */
const STEP = 10;
const GAP = 9;
const BUNDLE = 5;
/** The length at one end of each line without strokes, which would touch the diagonal there. */
const DIAGONAL_CLEARANCE = 56;
/** The width reserved for the remainder at the end of the lower line. */
const REST_WIDTH = 34;

/** The position of the remainder. */
export const REMAINDER_POSITION = { x: RIGHT, y: BOTTOM - 12 };

/** The three lines of the Z as a path. */
export const Z_LINES =
  `M${LEFT} ${TOP + 1}Q150 ${TOP - 2} ${RIGHT} ${TOP}` +
  `M${RIGHT - 2} ${TOP + 2}Q146 ${(TOP + BOTTOM) / 2 + 2} ${LEFT + 2} ${BOTTOM - 2}` +
  `M${LEFT} ${BOTTOM}Q150 ${BOTTOM + 2} ${RIGHT} ${BOTTOM - 1}`;

/** Strokes across the upper line: the hundreds. */
export function hundredsPath(count: number): string {
  return across(count, LEFT + 10, RIGHT - DIAGONAL_CLEARANCE, TOP, 0);
}

/** Strokes across the lower line: the twenties. */
export function twentiesPath(count: number): string {
  return across(count, LEFT + DIAGONAL_CLEARANCE, RIGHT - REST_WIDTH, BOTTOM, 40);
}

/** Crosses on the diagonal, from the middle outwards: each stroke is a fifty, two make a cross. */
export function fiftiesPath(count: number): string {
  const crosses = Math.ceil(count / 2);
  const along = Math.min(34, 190 / Math.max(1, crosses));
  return Array.from({ length: count }, (_, index) => {
    const cross = Math.floor(index / 2);
    const offset = (cross - (crosses - 1) / 2) * along;
    const x = 150 - offset;
    const y = (TOP + BOTTOM) / 2 + offset * ((BOTTOM - TOP) / (RIGHT - LEFT));
    const a = jitter(index, 11);
    const b = jitter(index, 12);
    return index % 2 === 0
      ? `M${round(x - 8 + a)} ${round(y - 12 + b)}L${round(x + 8 + b)} ${round(y + 12 + a)}`
      : `M${round(x + 8 + a)} ${round(y - 12 + b)}L${round(x - 8 + b)} ${round(y + 12 + a)}`;
  }).join("");
}

/** Strokes across a horizontal line between two points; every fifth crosses the four before it. */
function across(count: number, from: number, to: number, line: number, salt: number): string {
  const bundles = Math.ceil(count / BUNDLE);
  const wanted = bundles * ((BUNDLE - 1) * STEP + GAP);
  const tight = Math.min(1, (to - from) / Math.max(1, wanted));
  return Array.from({ length: count }, (_, index) => {
    const bundle = Math.floor(index / BUNDLE);
    const place = index % BUNDLE;
    const start = from + bundle * ((BUNDLE - 1) * STEP + GAP) * tight;
    const a = jitter(index, salt + 1);
    const b = jitter(index, salt + 2);
    if (place === BUNDLE - 1) {
      const end = start + (BUNDLE - 2) * STEP * tight;
      return `M${round(start - 5 + a)} ${round(line + 9 + b)}L${round(end + 5 + b)} ${round(line - 9 + a)}`;
    }
    const x = start + place * STEP * tight;
    return `M${round(x + 1 + a)} ${round(line - STROKE_REACH + b)}L${round(x - 1 + b)} ${round(line + STROKE_REACH + a)}`;
  }).join("");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
