// The colours of both decks. A drawing takes its colours from here and from nowhere else.
import type { Suit } from "../src/cards/cards";

export const INK = "#2b1d14";
export const PAPER = "#fffefa";
export const EDGE = "#cfc9b8";
export const RED = "#c8232f";
export const YELLOW = "#f3bc33";
export const GREEN = "#4f7d34";
export const BLUE = "#2a5ca6";
export const WHITE = "#fffdf6";
export const BROWN = "#8b572a";
export const STEEL = "#cdd5da";
export const BLACK = "#37302f";
export const SKIN = "#f6d2ab";
export const CHEEK = "#eea98a";
export const GREY = "#d9d5cb";

/** How a deck is drawn: French cards in the two colours known to all, or a colour for each suit. */
export type Drawing = "swiss" | "french" | "french4";

export const DRAWINGS: readonly Drawing[] = ["swiss", "french", "french4"];

/** A colour on the way from one to another; both as `#rrggbb`. */
export function blend(from: string, to: string, share: number): string {
  const mixed = [1, 3, 5].map((at) => {
    const [a, b] = [from, to].map((colour) => parseInt(colour.slice(at, at + 2), 16)) as [number, number];
    return Math.round(a + (b - a) * share)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${mixed.join("")}`;
}

/** The colour of a suit's index: readable on the card's paper. */
export const INDEX_COLOUR: Record<Drawing, Record<Suit, string>> = {
  swiss: { C: "#55651c", D: "#8a5c00", H: "#c01730", S: "#23508e" },
  french: { C: "#16191d", D: "#cf1b2b", H: "#cf1b2b", S: "#16191d" },
  french4: { C: "#1b7a3e", D: "#1f5fbf", H: "#cf1b2b", S: "#16191d" },
};

/** What the people of a suit wear and stand before. */
export interface Livery {
  cloth: string;
  second: string;
  trim: string;
  ground: string;
}

export const LIVERY: Record<Drawing, Record<Suit, Livery>> = {
  swiss: {
    C: { cloth: GREEN, second: BROWN, trim: YELLOW, ground: "#eef0d8" },
    D: { cloth: YELLOW, second: RED, trim: BLUE, ground: "#fcf0cd" },
    H: { cloth: RED, second: GREEN, trim: YELLOW, ground: "#fbe6dc" },
    S: { cloth: BLUE, second: WHITE, trim: YELLOW, ground: "#e3ecf4" },
  },
  french: {
    C: { cloth: BLACK, second: "#2f7d46", trim: YELLOW, ground: "#f0ede4" },
    D: { cloth: RED, second: BLUE, trim: YELLOW, ground: "#fcefdc" },
    H: { cloth: RED, second: "#7d2a52", trim: YELLOW, ground: "#fbe6dc" },
    S: { cloth: BLACK, second: RED, trim: YELLOW, ground: "#e9eaec" },
  },
  french4: {
    C: { cloth: "#2f7d46", second: BROWN, trim: YELLOW, ground: "#e4f0e0" },
    D: { cloth: BLUE, second: RED, trim: YELLOW, ground: "#e3ecf6" },
    H: { cloth: RED, second: BLUE, trim: YELLOW, ground: "#fbe6dc" },
    S: { cloth: BLACK, second: RED, trim: YELLOW, ground: "#e9eaec" },
  },
};
