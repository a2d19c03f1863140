// Parses typed cards: the text form `JC`, the name in the language of the page or in English, the index in
// the corner, initials. A text form always means its card, even if its letters are the initials of
// another.
import { RANKS, parseCard, SUITS, type Rank } from "../../cards/cards";
import { cardIndex, cardName, rankAndSuitNames, suitName } from "../../cards/cardNames";
import { rankName } from "../../games/i-doubt-it/words";
import { m } from "../../i18n";
import { settings, type Deck } from "../../settings/settings.svelte";
import { splitWords } from "./fuzzyMatch";

const PACK: readonly string[] = SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit));

/** Filler words between rank and suit, in the four languages. */
const FILLER_WORDS: ReadonlySet<string> = new Set(["of", "the", "de", "d", "le", "la", "l", "di", "il"]);
/** Whether a word can only be a filler; single letters may also be initials. */
const isBetween = (word: string): boolean => word.length > 1 && FILLER_WORDS.has(word);

interface Spelling {
  card: string;
  rank: string[];
  suit: string[];
  /** The rank as one letter or digit, and the index in the corner of the card. */
  corner: string[];
  letter: string;
}

const spelt = new Map<string, Spelling[]>();

/** The spellings of each card in the chosen language and in English, cached. */
function spellings(deck: Deck): Spelling[] {
  const key = `${settings.locale} ${deck}`;
  const known = spelt.get(key) ?? allSpellings(deck);
  spelt.set(key, known);
  return known;
}

function allSpellings(deck: Deck): Spelling[] {
  return PACK.map((card) => {
    const { rank, suit } = parseCard(card);
    const said = [rankAndSuitNames(card, deck), rankAndSuitNames(card, deck, "en")];
    return {
      card,
      rank: said.flatMap((one) => splitWords(one.rank)),
      suit: [
        ...said.flatMap((one) => splitWords(one.suit)),
        ...splitWords(suitName(suit, deck)),
        ...splitWords(suitName(suit, deck, "en")),
      ],
      corner: [rank.toLowerCase(), ...splitWords(cardIndex(rank, deck))],
      letter: suit.toLowerCase(),
    };
  });
}

/** The card of a text form such as `JC` or `10C`; null for other text. */
export function parseCardId(text: string): string | null {
  const form = /^(10|[2-9tjqka])([cdhs])$/.exec(text.toLowerCase());
  if (!form) return null;
  const rank = form[1] === "10" ? "T" : form[1]?.toUpperCase();
  return `${rank}${form[2]?.toUpperCase()}`;
}

/** Two words that may be rank and suit in either order. */
type Pair = readonly [string, string];

/** A way to read two words as a card: written out, or by their beginnings. */
type Reading = (one: Spelling, rank: string, suit: string) => boolean;

const written: Reading = (one, rank, suit) =>
  (one.rank.includes(rank) || one.corner.includes(rank)) && one.suit.includes(suit);

const begun: Reading = (one, rank, suit) =>
  (one.corner.includes(rank) || one.rank.some((word) => word.startsWith(rank))) &&
  (one.letter === suit || one.suit.some((word) => word.startsWith(suit)));

function found(pairs: readonly Pair[], reading: Reading, all: readonly Spelling[]): string[] {
  return all
    .filter((one) => pairs.some(([a, b]) => reading(one, a, b) || reading(one, b, a)))
    .map(({ card }) => card);
}

/** All ways to split one word into two: `eichelass`, `ue`. */
function halves(word: string): Pair[] {
  return Array.from({ length: word.length - 1 }, (_, at) => [word.slice(0, at + 1), word.slice(at + 1)]);
}

/** The maximum number of letters in a group of initials. */
const INITIALS = 3;

/**
 * The cards that a text may mean: none, one, or several if it is ambiguous. Cards in the hand take
 * precedence over others.
 */
export function matchCards(text: string, hand: readonly string[], deck: Deck): string[] {
  const all = splitWords(text);
  const form = parseCardId(all.join(""));
  if (form) return [form];
  const words = all.length > 2 ? all.filter((word) => !FILLER_WORDS.has(word)) : all;
  const [one, other] = words;
  if (one === undefined || words.length > 2 || words.some(isBetween)) return [];
  const known = spellings(deck);
  const pairs: Pair[] = other === undefined ? halves(one) : [[one, other]];
  const exact = found(pairs, written, known);
  if (exact.length > 0) return narrowed(exact, hand);
  if (other === undefined && one.length > INITIALS) return [];
  return narrowed(found(pairs, begun, known), hand);
}

function narrowed(cards: readonly string[], hand: readonly string[]): string[] {
  const held = cards.filter((card) => hand.includes(card));
  return held.length > 0 ? held : [...cards];
}

/** The rank that a text names: by its letter, index or word, also in the plural. */
export function matchRank(text: string, deck: Deck): Rank | null {
  const [word, ...more] = splitWords(text);
  if (word === undefined || more.length > 0) return null;
  const names = (rank: Rank): string[] => {
    const card = `${rank}C`;
    const said = [rankAndSuitNames(card, deck).rank, rankAndSuitNames(card, deck, "en").rank];
    return [...said, rankName(rank), rankName(rank, "en"), cardIndex(rank, deck)].flatMap(splitWords);
  };
  return (
    RANKS.find((rank) => rank.toLowerCase() === word) ??
    RANKS.find((rank) => names(rank).includes(word)) ??
    null
  );
}

/** The shortest input that identifies a card among those in the hand. */
export function shortForm(card: string, hand: readonly string[], deck: Deck): string {
  const { rank, suit } = parseCard(card);
  const begins = (text: string): string => text.charAt(0).toUpperCase();
  const words = rankAndSuitNames(card, deck);
  const name = cardName(card, deck);
  const suitFirst = name.indexOf(words.suit) < name.indexOf(words.rank);
  const initials = suitFirst
    ? begins(words.suit) + cardIndex(rank, deck)
    : cardIndex(rank, deck) + begins(words.suit);
  const only = matchCards(initials, hand, deck);
  return only.length === 1 && only[0] === card ? initials : `${rank}${suit}`;
}

/** Help on typing cards, with a card of the hand as an example. */
export function cardHelp(card: string, hand: readonly string[], deck: Deck): string {
  const short = shortForm(card, hand, deck);
  return m.text_card_how({ name: cardName(card, deck), short, text: card });
}
