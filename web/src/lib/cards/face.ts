// What is drawn on a card's face, as plain data in the card's own units (128 × 200).
import type { Rank, Suit } from "./cards";

export const CARD_WIDTH = 128;
export const CARD_HEIGHT = 200;

export interface Pip {
  x: number;
  y: number;
}

const LEFT = 64;
const MIDDLE = 84;
const RIGHT = 104;

/** The middles of the pips of a number card, beside the index column. */
export function pips(rank: Rank): Pip[] {
  const column = (x: number, ys: number[]): Pip[] => ys.map((y) => ({ x, y }));
  const two = [42, 158];
  const three = [42, 100, 158];
  const four = [36, 79, 121, 164];
  switch (rank) {
    case "2":
      return column(MIDDLE, two);
    case "3":
      return column(MIDDLE, three);
    case "4":
      return [...column(LEFT, two), ...column(RIGHT, two)];
    case "5":
      return [...column(LEFT, two), ...column(RIGHT, two), { x: MIDDLE, y: 100 }];
    case "6":
      return [...column(LEFT, three), ...column(RIGHT, three)];
    case "7":
      return [...column(LEFT, three), ...column(RIGHT, three), { x: MIDDLE, y: 71 }];
    case "8":
      return [...column(LEFT, three), ...column(RIGHT, three), ...column(MIDDLE, [71, 129])];
    case "9":
      return [...column(LEFT, four), ...column(RIGHT, four), { x: MIDDLE, y: 100 }];
    case "T":
      return [...column(LEFT, four), ...column(RIGHT, four), ...column(MIDDLE, [57.5, 142.5])];
    default:
      return [];
  }
}

/** The colour of a suit's index: readable on the card's paper, four colours in each deck. */
export const INDEX_COLOUR: Record<"french" | "swiss", Record<Suit, string>> = {
  french: { C: "#1b7a3e", D: "#1f5fbf", H: "#cf1b2b", S: "#16191d" },
  swiss: { C: "#55651c", D: "#8a5c00", H: "#c01730", S: "#23508e" },
};

/** The clothes of the figures of a suit: cloth, and the trimming on it. */
export const CLOTH: Record<"french" | "swiss", Record<Suit, { cloth: string; trim: string }>> = {
  french: {
    C: { cloth: "#1b7a3e", trim: "#f0c243" },
    D: { cloth: "#1f5fbf", trim: "#f0c243" },
    H: { cloth: "#cf1b2b", trim: "#f0c243" },
    S: { cloth: "#2b3038", trim: "#f0c243" },
  },
  swiss: {
    C: { cloth: "#61742a", trim: "#f0c665" },
    D: { cloth: "#c98a10", trim: "#fbe9ad" },
    H: { cloth: "#c01730", trim: "#f4c430" },
    S: { cloth: "#23508e", trim: "#f2b91d" },
  },
};
