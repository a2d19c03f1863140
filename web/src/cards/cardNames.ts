// The names of cards in the chosen deck and language: `Eichel-Under`, `le valet de cœur`.
import { m } from "../i18n";
import type { Deck, Locale } from "../settings/settings.svelte";
import { parseCard, type Rank, type Suit } from "./cards";

type Words = (words?: Record<string, never>, options?: { locale?: Locale }) => string;

const SUIT_WORDS: Record<Deck, Record<Suit, Words>> = {
  french: { C: m.suit_french_c, D: m.suit_french_d, H: m.suit_french_h, S: m.suit_french_s },
  swiss: { C: m.suit_swiss_c, D: m.suit_swiss_d, H: m.suit_swiss_h, S: m.suit_swiss_s },
};

/** The form of a suit within a card's name; German hyphenates it with the rank. */
const SUIT_OF_CARD: Record<Deck, Record<Suit, Words>> = {
  french: {
    C: m.suit_of_french_c,
    D: m.suit_of_french_d,
    H: m.suit_of_french_h,
    S: m.suit_of_french_s,
  },
  swiss: { C: m.suit_of_swiss_c, D: m.suit_of_swiss_d, H: m.suit_of_swiss_h, S: m.suit_of_swiss_s },
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
    T: m.rank_french_t,
    J: m.rank_french_j,
    Q: m.rank_french_q,
    K: m.rank_french_k,
    A: m.rank_french_a,
  },
  swiss: {
    ...NUMBER_WORDS,
    T: m.rank_swiss_t,
    J: m.rank_swiss_j,
    Q: m.rank_swiss_q,
    K: m.rank_swiss_k,
    A: m.rank_swiss_a,
  },
};

const FIGURE_INDEX: Record<Deck, Record<"J" | "Q" | "K" | "A", Words>> = {
  french: {
    J: m.index_french_j,
    Q: m.index_french_q,
    K: m.index_french_k,
    A: m.index_french_a,
  },
  swiss: { J: m.index_swiss_j, Q: m.index_swiss_q, K: m.index_swiss_k, A: m.index_swiss_a },
};

/** The suit's name, in the plural if the language has one: `Schellen`, `hearts`. */
export function suitName(suit: Suit, deck: Deck, locale?: Locale): string {
  return SUIT_WORDS[deck][suit]({}, locale ? { locale } : {});
}

/** The full name of a card: `Rosen-Ass`, `ace of hearts`. */
export function cardName(card: string, deck: Deck): string {
  const { rank, suit } = parseCard(card);
  return m.card_name({ rank: RANK_WORDS[deck][rank](), suit: SUIT_OF_CARD[deck][suit]() });
}

/** The words for a card's rank and suit, in the chosen language or a given one. */
export function rankAndSuitNames(card: string, deck: Deck, locale?: Locale): { rank: string; suit: string } {
  const { rank, suit } = parseCard(card);
  const options = locale ? { locale } : {};
  return {
    rank: RANK_WORDS[deck][rank]({}, options),
    suit: SUIT_OF_CARD[deck][suit]({}, options),
  };
}

/** The index in the corner of a card: `9`, `10`, `U`. */
export function cardIndex(rank: Rank, deck: Deck): string {
  if (rank === "T") return "10";
  if (rank === "J" || rank === "Q" || rank === "K" || rank === "A") {
    return FIGURE_INDEX[deck][rank]();
  }
  return rank;
}
