// Where things lie on a card, in its own units. A card is two halves, one turned upside down: in each
// the index stands in its corner and the picture beside it.
import type { Rank, Suit } from "../src/cards/cards";
import type { Drawing } from "./palette";

export const CARD_WIDTH = 128;
export const CARD_HEIGHT = 200;

/** Turns one half into the other. */
export const TURNED = `rotate(180 ${CARD_WIDTH / 2} ${CARD_HEIGHT / 2})`;

/** The field of one half's picture; the other's follows by turning. */
export const FIELD = { x: 48, y: 8, width: 72, height: 86 };

/** The frame around both fields and the belt between them; turned, it is the same again. */
export const FRAME =
  "M48 90V12A4 4 0 0 1 52 8H116A4 4 0 0 1 120 12V102A4 4 0 0 1 116 106H84A4 4 0 0 0 80 110V188A4 4 0 0 1 76 192H12A4 4 0 0 1 8 188V98A4 4 0 0 1 12 94H44A4 4 0 0 0 48 90Z";

/** The belt, in which both people of a picture end. */
export const BELT = "M12 94H120V102A4 4 0 0 1 116 106H8V98A4 4 0 0 1 12 94Z";

export interface Pip {
  x: number;
  y: number;
}

const LEFT = 66;
const MIDDLE = 84;
const RIGHT = 102;

/** The pips of one half. */
const HALVES: Record<number, Pip[]> = {
  1: [{ x: MIDDLE, y: 51 }],
  2: [
    { x: LEFT, y: 36 },
    { x: RIGHT, y: 66 },
  ],
  3: [
    { x: LEFT, y: 32 },
    { x: RIGHT, y: 32 },
    { x: MIDDLE, y: 68 },
  ],
  4: [
    { x: LEFT, y: 28 },
    { x: RIGHT, y: 28 },
    { x: LEFT, y: 65 },
    { x: RIGHT, y: 65 },
  ],
  5: [
    { x: LEFT, y: 27 },
    { x: RIGHT, y: 27 },
    { x: MIDDLE, y: 51 },
    { x: LEFT, y: 75 },
    { x: RIGHT, y: 75 },
  ],
};

/** How many pips a number has; none where a picture stands in their place. */
const NUMBERS: Partial<Record<Rank, number>> = {
  "2": 2,
  "3": 3,
  "4": 4,
  "5": 5,
  "6": 6,
  "7": 7,
  "8": 8,
  "9": 9,
  T: 10,
};

export interface Pips {
  /** Of the upper half; the lower one has the same, turned. */
  half: readonly Pip[];
  /** One in the very middle, of odd numbers. */
  middle: boolean;
}

/** The pips of a number card. */
export function pips(rank: Rank): Pips {
  const number = NUMBERS[rank] ?? 0;
  return { half: HALVES[Math.floor(number / 2)] ?? [], middle: number % 2 === 1 };
}

/** The ids of shared drawings: the sign of a suit, the half of a picture. */
export const signId = (drawing: Drawing, suit: Suit): string => `suit-${drawing}-${suit}`;
export const halfId = (drawing: Drawing, card: string): string => `half-${drawing}-${card}`;
