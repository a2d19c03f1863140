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

/** Small words between rank and suit, in the four languages. */
const FILLER_WORDS: ReadonlySet<string> = new Set(["of", "the", "de", "d", "le", "la", "l", "di", "il"]);
/** Of these, one letter may as well be an initial. */
const isBetween = (word: string): boolean => word.length > 1 && FILLER_WORDS.has(word);

interface Spelling {
  card: string;
  rank: string[];
  suit: string[];
  /** What stands in the corner of the card, the digits, and the letters of the text form. */
  corner: string[];
  letter: string;
}

const spelt = new Map<string, Spelling[]>();

/** How each card is spelt in the chosen language, put together once. */
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

/** The card of a text form: `JC`, and `10C` as well; null for another text. */
export function parseCardId(text: string): string | null {
  const form = /^(10|[2-9tjqka])([cdhs])$/.exec(text.toLowerCase());
  if (!form) return null;
  const rank = form[1] === "10" ? "T" : form[1]?.toUpperCase();
  return `${rank}${form[2]?.toUpperCase()}`;
}

/** Two words that may be rank and suit in either order. */
type Pair = readonly [string, string];

/** How two words may be read: written out, or by their beginnings. */
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

/** Every place where one word may be two: `eichelass`, `ue`. */
function halves(word: string): Pair[] {
  return Array.from({ length: word.length - 1 }, (_, at) => [word.slice(0, at + 1), word.slice(at + 1)]);
}

/** Letters that stand together, as initials do, are no more than these. */
const INITIALS = 3;

/**
 * The cards that a text may mean: none, one, or several where it does not say which. What is in the
 * hand goes before what is not.
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

/** The rank that a text names: its letter, its corner or its word, also in the plural. */
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

/** The shortest letters by which a card of the hand is meant and no other one. */
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

/** How a card may be typed, told by one of the hand. */
export function cardHelp(card: string, hand: readonly string[], deck: Deck): string {
  const short = shortForm(card, hand, deck);
  return m.text_card_how({ name: cardName(card, deck), short, text: card });
}
