// The signs of the suits of both decks, each in a square of 100 by 100.
import { SUITS, type Suit } from "../src/cards/cards";
import { signId } from "./layout";
import { BLUE, BROWN, GREEN, INK, INDEX_COLOUR, RED, WHITE, YELLOW, type Drawing } from "./palette";
import { disc, dot, line, plain, shape } from "./svg";

/** A shape in each of five directions, as petals and sepals of a rose stand. */
const five = (one: string): string =>
  [0, 72, 144, 216, 288].map((turn) => `<g transform="rotate(${turn} 50 50)">${one}</g>`).join("");

const outlined = (...shapes: string[]): string =>
  `<g stroke="${INK}" stroke-width="4.5" stroke-linejoin="round" stroke-linecap="round">${shapes.join("")}</g>`;

/** A rose seen from the front: five petals, five sepals between them, the yellow middle. */
const rose = (): string =>
  outlined(
    `<g transform="rotate(36 50 50)">${five(shape("M50 1C55 9 58 17 57 28H43C42 17 45 9 50 1Z", GREEN))}</g>`,
    five(shape("M50 52C35 42 29 29 33 18 37 7 46 6 50 13 54 6 63 7 67 18 71 29 65 42 50 52Z", RED)),
    five(plain("M50 50C42 42 40 34 43 29 46 24 54 24 57 29 60 34 58 42 50 50Z", "#ef8f86")),
    disc(50, 50, 12.5, YELLOW),
    five(dot(50, 44, 1.9)),
  );

/** A round bell: the loop, the coloured belt, the slit that ends in two holes. */
const bell = (): string =>
  outlined(
    line("M50 22V9", 12),
    line("M50 20V9", 4.5, YELLOW),
    disc(50, 57, 38, YELLOW),
    plain("M17 47C22 32 33 23 46 21 34 29 26 38 24 49Z", "#fbe3a0"),
    shape("M13 50C35 58 65 58 87 50L87.5 63C65 71 35 71 12.5 63Z", RED),
    line("M35 57.5V68M50 58.5V69M65 57.5V68", 3.5, YELLOW),
    line("M36 83H64", 5.5),
    dot(35, 82.5, 5),
    dot(65, 82.5, 5),
  );

/** An acorn in its cup, on a stalk with a leaf. */
const acorn = (): string =>
  outlined(
    line("M50 24C50 14 46 8 40 5", 6),
    shape("M52 22C56 6 74 2 92 8 88 22 70 30 52 22Z", GREEN),
    line("M58 19C66 14 74 11 82 11", 3),
    shape("M22 46H78C80 68 66 84 55 90L50 98 45 90C34 84 20 68 22 46Z", YELLOW),
    plain("M30 53H39C38 66 42 77 47 85 36 79 30 67 30 53Z", "#fbe3a0"),
    shape("M15 47C13 30 30 20 50 20S87 30 85 47C85 53 80 55 75 55H25C20 55 15 53 15 47Z", BROWN),
    line("M27 27 52 54M43 21 72 53M73 27 48 54M57 21 28 53", 2.6),
  );

/** A shield quartered in blue and yellow, with a star on its middle. */
const shield = (): string =>
  outlined(
    shape("M12 8C26 12 38 11 50 5 62 11 74 12 88 8 92 50 84 80 50 97 16 80 8 50 12 8Z", BLUE),
    plain("M50 5C62 11 74 12 88 8 89.5 22 89.5 36 87 49H50Z", YELLOW),
    plain("M50 49V97C28 86 17 70 13 49Z", YELLOW),
    line("M50 6V96M12 49H88"),
    shape("M50 27 56 42 72 49 56 56 50 71 44 56 28 49 44 42Z", WHITE),
    line("M12 8C26 12 38 11 50 5 62 11 74 12 88 8 92 50 84 80 50 97 16 80 8 50 12 8Z"),
  );

const SWISS: Record<Suit, () => string> = { C: acorn, D: bell, H: rose, S: shield };

const FRENCH: Record<Suit, string> = {
  C: "M50 5A21.5 21.5 0 0 0 36 42.8 21.5 21.5 0 1 0 45.5 69C45 80 41 89 33 95H67C59 89 55 80 54.5 69A21.5 21.5 0 1 0 64 42.8 21.5 21.5 0 0 0 50 5Z",
  D: "M50 3C59 20 72 36 88 50 72 64 59 80 50 97 41 80 28 64 12 50 28 36 41 20 50 3Z",
  H: "M50 95C22 70 5 52 5 32 5 17 16 7 28.5 7 38 7 46 13 50 23 54 13 62 7 71.5 7 84 7 95 17 95 32 95 52 78 70 50 95Z",
  S: "M50 4C58 22 93 41 93 65 93 77 84 85 74 85 66 85 59 81 55 74 56 83 60 90 68 96H32C40 90 44 83 45 74 41 81 34 85 26 85 16 85 7 77 7 65 7 41 42 22 50 4Z",
};

/** The sign of a suit, drawn for a square of 100 by 100. */
export function sign(drawing: Drawing, suit: Suit): string {
  if (drawing === "swiss") return SWISS[suit]();
  return `<path d="${FRENCH[suit]}" fill="${INDEX_COLOUR[drawing][suit]}"/>`;
}

/** The signs of all suits as symbols, each under its id. */
export const signs = (drawing: Drawing): string =>
  SUITS.map(
    (suit) => `<symbol id="${signId(drawing, suit)}" viewBox="0 0 100 100">${sign(drawing, suit)}</symbol>`,
  ).join("");
