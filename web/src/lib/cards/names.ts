// How a card is called in the chosen deck and language: `Eichel-Under`, `le valet de cœur`.
import { m } from "../i18n";
import type { Deck, Locale } from "../settings.svelte";
import { parts, type Rank, type Suit } from "./cards";

type Words = (words?: Record<string, never>, options?: { locale?: Locale }) => string;

const SUIT_WORDS: Record<Deck, Record<Suit, Words>> = {
  french: { C: m.suit_french_C, D: m.suit_french_D, H: m.suit_french_H, S: m.suit_french_S },
  swiss: { C: m.suit_swiss_C, D: m.suit_swiss_D, H: m.suit_swiss_H, S: m.suit_swiss_S },
};

/** The form a suit takes within a card's name; German joins it to the rank. */
const SUIT_OF_CARD: Record<Deck, Record<Suit, Words>> = {
  french: {
    C: m.suit_of_french_C,
    D: m.suit_of_french_D,
    H: m.suit_of_french_H,
    S: m.suit_of_french_S,
  },
  swiss: { C: m.suit_of_swiss_C, D: m.suit_of_swiss_D, H: m.suit_of_swiss_H, S: m.suit_of_swiss_S },
};

const NUMBER_WORDS = {
  "2": m.rank_2,
  "3": m.rank_3,
  "4": m.rank_4,
  "5": m.rank_5,
  "6": m.rank_6,
  "7": m.rank_7,
  "8": m.rank_8,
  "9": m.rank_9,
};

const RANK_WORDS: Record<Deck, Record<Rank, Words>> = {
  french: {
    ...NUMBER_WORDS,
    T: m.rank_french_T,
    J: m.rank_french_J,
    Q: m.rank_french_Q,
    K: m.rank_french_K,
    A: m.rank_french_A,
  },
  swiss: {
    ...NUMBER_WORDS,
    T: m.rank_swiss_T,
    J: m.rank_swiss_J,
    Q: m.rank_swiss_Q,
    K: m.rank_swiss_K,
    A: m.rank_swiss_A,
  },
};

const FIGURE_INDEX: Record<Deck, Record<"J" | "Q" | "K" | "A", Words>> = {
  french: {
    J: m.index_french_J,
    Q: m.index_french_Q,
    K: m.index_french_K,
    A: m.index_french_A,
  },
  swiss: { J: m.index_swiss_J, Q: m.index_swiss_Q, K: m.index_swiss_K, A: m.index_swiss_A },
};

/** The suit's name, in the plural where the language has one: `Schellen`, `hearts`. */
export function suitName(suit: Suit, deck: Deck, locale?: Locale): string {
  return SUIT_WORDS[deck][suit]({}, locale ? { locale } : {});
}

/** The card's whole name: `Rosen-Ass`, `ace of hearts`. */
export function cardName(card: string, deck: Deck): string {
  const { rank, suit } = parts(card);
  return m.card_name({ rank: RANK_WORDS[deck][rank](), suit: SUIT_OF_CARD[deck][suit]() });
}

/** The words of a card, which its name joins: the chosen language's, or those of another. */
export function cardWords(card: string, deck: Deck, locale?: Locale): { rank: string; suit: string } {
  const { rank, suit } = parts(card);
  const options = locale ? { locale } : {};
  return {
    rank: RANK_WORDS[deck][rank]({}, options),
    suit: SUIT_OF_CARD[deck][suit]({}, options),
  };
}

/** What stands in the corner of a card: `9`, `10`, `U`. */
export function cardIndex(rank: Rank, deck: Deck): string {
  if (rank === "T") return "10";
  if (rank === "J" || rank === "Q" || rank === "K" || rank === "A") {
    return FIGURE_INDEX[deck][rank]();
  }
  return rank;
}
