// The letters and figures of the corners, drawn as lines of one width, so that no font is needed.

interface Glyph {
  width: number;
  d: string;
}

/** The height of the skeletons; the drawn letter is higher by the width of the line. */
const HEIGHT = 32;
const STROKE = 7.4;
/** Between two letters, from skeleton to skeleton. */
const GAP = 9.6;
/** Two glyphs stand closer, so that a ten is as wide as a letter. */
const NARROW = 0.84;

const GLYPHS: Record<string, Glyph> = {
  "0": { width: 19, d: "M0 9.5a9.5 9.5 0 0 1 19 0v13a9.5 9.5 0 0 1-19 0Z" },
  "1": { width: 10, d: "M0 8 10 0V32" },
  "2": { width: 20, d: "M0 9.5A10 9.5 0 0 1 20 9.5C20 17 5 23 0 32H20.5" },
  "3": { width: 20, d: "M1 0H19L9.5 12.5C16 12.5 20 16.5 20 22S16 32 10 32C5 32 1.5 30 0 26.5" },
  "4": { width: 21, d: "M14.5 32V0L0 23H21" },
  "5": {
    width: 20,
    d: "M18 0H4L2.5 14C5 12.3 7.5 11.5 10 11.5 16 11.5 20 15.5 20 21.5S16 32 10 32C5 32 1.5 30 0 26.5",
  },
  "6": { width: 20, d: "M14 0C7 5 0 13 0 22A10 10 0 1 0 20 22 10 10 0 0 0 1 18" },
  "7": { width: 19, d: "M0 0H19L7 32" },
  "8": {
    width: 20,
    d: "M10 14.4A7.2 7.2 0 1 0 10 0 7.2 7.2 0 0 0 10 14.4 8.8 8.8 0 1 0 10 32 8.8 8.8 0 0 0 10 14.4Z",
  },
  "9": { width: 20, d: "M6 32C13 27 20 19 20 10A10 10 0 1 0 0 10 10 10 0 0 0 19 14" },
  A: { width: 23, d: "M0 32 11.5 0 23 32M4.5 22H18.5" },
  B: { width: 19, d: "M0 15H10.5A7.5 7.5 0 0 0 10.5 0H0V32H10.5A8.5 8.5 0 0 0 10.5 15" },
  D: { width: 20, d: "M0 0H5C15 0 20 6 20 16S15 32 5 32H0Z" },
  F: { width: 17, d: "M17.5 0H0V32M0 15.5H14" },
  J: { width: 15, d: "M15 0V23.5A7.5 8.5 0 0 1 0 23.5" },
  K: { width: 20, d: "M0 0V32M19 0 1 19M8 12.5 20 32" },
  O: { width: 23, d: "M11.5 0C18.5 0 23 6 23 16S18.5 32 11.5 32 0 26 0 16 4.5 0 11.5 0Z" },
  Q: {
    width: 23,
    d: "M11.5 0C18.5 0 23 6 23 16S18.5 32 11.5 32 0 26 0 16 4.5 0 11.5 0ZM13.5 23 23 33",
  },
  R: { width: 19, d: "M0 32V0H10.5A8.5 8.5 0 0 1 10.5 17H0M10 17 19.5 32" },
  U: { width: 20, d: "M0 0V21.5A10 10.5 0 0 0 20 21.5V0" },
  V: { width: 23, d: "M0 0 11.5 32 23 0" },
};

/** A text of these letters and figures, its middle at x and its top at y, as high as is said. */
export function lettering(text: string, x: number, y: number, height: number, colour: string): string {
  const glyphs = [...text].map((letter) => {
    const glyph = GLYPHS[letter];
    if (!glyph) throw new Error(`no glyph is drawn for '${letter}'`);
    return glyph;
  });
  const scale = height / (HEIGHT + STROKE);
  const width = glyphs.reduce((sum, { width }) => sum + width + GAP, -GAP);
  let left = -width / 2;
  const paths = glyphs.map(({ width, d }) => {
    const path = `<path d="${d}"${left ? ` transform="translate(${left})"` : ""}/>`;
    left += width + GAP;
    return path;
  });
  const place = `translate(${x} ${round(y + (STROKE / 2) * scale)}) scale(${round(scale * (glyphs.length > 1 ? NARROW : 1))} ${round(scale)})`;
  return `<g fill="none" stroke="${colour}" stroke-width="${STROKE}" stroke-linejoin="round" transform="${place}">${paths.join("")}</g>`;
}

const round = (value: number): number => Math.round(value * 1000) / 1000;
