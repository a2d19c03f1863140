// A whole card as SVG: paper, corners, and in the frame pips or a picture. What a card uses of others,
// the sign of its suit and the half of its picture, it refers to by their ids.
import type { Rank, Suit } from "../src/cards/cards";
import { lettering } from "./glyphs";
import { BELT, CARD_HEIGHT, CARD_WIDTH, FRAME, halfId, pips, signId, TURNED } from "./layout";
import { blend, EDGE, INDEX_COLOUR, LIVERY, PAPER, type Drawing } from "./palette";
import { drawn, plain, shape } from "./svg";

const PIP = 29;
const CORNER_SIGN = 36;

/** The ranks of which there are pictures; a Swiss ten is a banner. */
const PICTURES: Record<"swiss" | "french", string> = { swiss: "TJQKA", french: "JQKA" };

/** Whether a picture stands on this card in the place of pips. */
export function hasPicture(drawing: Drawing, rank: Rank): boolean {
  return PICTURES[drawing === "swiss" ? "swiss" : "french"].includes(rank);
}

/** The face of a card, with this text as its index; fills `CARD_WIDTH` by `CARD_HEIGHT`. */
export function face(drawing: Drawing, rank: Rank, suit: Suit, index: string): string {
  const middle = hasPicture(drawing, rank) ? picture(drawing, rank, suit) : number(drawing, rank, suit);
  return paper + middle + corners(drawing, suit, index);
}

/** The paper of every card. */
export const paper =
  `<rect x=".75" y=".75" width="${CARD_WIDTH - 1.5}" height="${CARD_HEIGHT - 1.5}" rx="10" ` +
  `fill="${PAPER}" stroke="${EDGE}" stroke-width="1.5"/>`;

/** The sign of the suit, around a middle. */
function sign(drawing: Drawing, suit: Suit, x: number, y: number, size: number): string {
  const corner = `x="${x - size / 2}" y="${y - size / 2}"`;
  return `<use href="#${signId(drawing, suit)}" ${corner} width="${size}" height="${size}"/>`;
}

const turned = (shapes: string): string => `<g transform="${TURNED}">${shapes}</g>`;

/** The large index with the sign below it, and a small one in the opposite corner. */
function corners(drawing: Drawing, suit: Suit, index: string): string {
  const corner =
    lettering(index, 25.5, 11, 38, INDEX_COLOUR[drawing][suit]) + sign(drawing, suit, 25.5, 72, CORNER_SIGN);
  return `${corner}<g transform="${TURNED} translate(9.5 6.5) scale(.62)">${corner}</g>`;
}

/** Pips within a thin frame, before a touch of the suit's colour. */
function number(drawing: Drawing, rank: Rank, suit: Suit): string {
  const ground = blend(LIVERY[drawing][suit].ground, PAPER, 0.6);
  const { half, middle } = pips(rank);
  const upper = half.map(({ x, y }) => sign(drawing, suit, x, y, PIP)).join("");
  return (
    `<path d="${FRAME}" fill="${ground}" stroke="${EDGE}" stroke-width="1.2"/>` +
    upper +
    turned(upper) +
    (middle ? sign(drawing, suit, CARD_WIDTH / 2, CARD_HEIGHT / 2, PIP) : "")
  );
}

/** Both halves of a picture, and the belt between them. */
function picture(drawing: Drawing, rank: Rank, suit: Suit): string {
  const { ground, second, trim } = LIVERY[drawing][suit];
  const half = `<use href="#${halfId(drawing, rank + suit)}"/>`;
  const studs = [16, 32, 48, 64, 80, 96, 112].map((x) =>
    plain(`M${x - 4} 100 ${x} 96.4 ${x + 4} 100 ${x} 103.6Z`, trim),
  );
  return (
    drawn(shape(FRAME, rank === "A" ? blend(ground, PAPER, 0.6) : ground)) +
    half +
    turned(half) +
    drawn(shape(BELT, second), ...studs)
  );
}
