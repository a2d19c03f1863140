// The few pieces of SVG text that all drawings are put together from.
import { INK } from "./palette";

/** The outline of the drawings, in the card's units. */
export const OUTLINE = 1.7;

/** A shape with the outline of the group it stands in. */
export const shape = (d: string, fill: string): string => `<path d="${d}" fill="${fill}"/>`;

/** A shape without an outline: a shade, a pattern. */
export const plain = (d: string, fill: string): string => `<path d="${d}" fill="${fill}" stroke="none"/>`;

/** A line; `width` is needed only if it differs from the outline's. */
export const line = (d: string, width?: number, colour?: string): string =>
  `<path d="${d}" fill="none"${width ? ` stroke-width="${width}"` : ""}${colour ? ` stroke="${colour}"` : ""}/>`;

/** A circle with the outline of its group. */
export const disc = (x: number, y: number, r: number, fill: string): string =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`;

/** A circle without an outline. */
export const dot = (x: number, y: number, r: number, fill: string = INK): string =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}" stroke="none"/>`;

/** A limb or a ribbon: a thick line in a colour, with the outline on both sides. */
export const band = (d: string, width: number, colour: string): string =>
  line(d, width + 2 * OUTLINE) + line(d, width, colour);

/** Shapes moved, turned or mirrored together. */
export const moved = (transform: string, ...shapes: string[]): string =>
  `<g transform="${transform}">${shapes.join("")}</g>`;

/** Shapes in the one outline of the decks. */
export const drawn = (...shapes: string[]): string =>
  `<g stroke="${INK}" stroke-width="${OUTLINE}" stroke-linejoin="round" stroke-linecap="round">${shapes.join("")}</g>`;
