// Both decks as files, each of which stands alone: what `npm run decks` writes.
import { RANKS, SUITS, type Rank, type Suit } from "../src/cards/cards";
import { back } from "./back";
import { face, hasPicture } from "./card";
import { CARD_HEIGHT, CARD_WIDTH, halfId, signId } from "./layout";
import { DRAWINGS, type Drawing } from "./palette";
import { half } from "./pictures";
import { sign } from "./suits";

/** The folder of each deck. */
const FOLDERS: Record<Drawing, string> = {
  swiss: "swiss",
  french: "french",
  french4: "french-four-colours",
};

/** The ranks of a pack; Swiss ones begin at the six. */
export const ranksOf = (drawing: Drawing): readonly Rank[] =>
  drawing === "swiss" ? RANKS.slice(RANKS.indexOf("6")) : RANKS;

/**
 * Every card of every deck: its path, such as `swiss/JC.svg`, and its text; and their `back.svg`.
 *
 * The words are those of `i18n/common` in one language: they tell the letters of the corners and the
 * names of the cards.
 */
export function files(words: Record<string, string>): Map<string, string> {
  const all = new Map([["back.svg", svg(back())]]);
  for (const drawing of DRAWINGS) {
    for (const suit of SUITS) {
      for (const rank of ranksOf(drawing)) {
        all.set(`${FOLDERS[drawing]}/${rank}${suit}.svg`, file(drawing, rank, suit, words));
      }
    }
  }
  return all;
}

/** One card with all it refers to, under ids that no other card has. */
function file(drawing: Drawing, rank: Rank, suit: Suit, words: Record<string, string>): string {
  const shared = signId(drawing, suit);
  const parts = [`<symbol id="${shared}" viewBox="0 0 100 100">${sign(drawing, suit)}</symbol>`];
  if (hasPicture(drawing, rank)) {
    parts.push(`<g id="${halfId(drawing, rank + suit)}">${half(drawing, rank, suit)}</g>`);
  }
  const drawn = `<defs>${parts.join("")}</defs>${face(drawing, rank, suit, index(drawing, rank, words))}`;
  const whole = `<title>${title(drawing, rank, suit, words)}</title>${drawn}`;
  return svg(whole.replaceAll(shared, `${shared}-${rank}`));
}

const svg = (shapes: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${CARD_WIDTH} ${CARD_HEIGHT}" ` +
  `width="${CARD_WIDTH}" height="${CARD_HEIGHT}">${shapes}</svg>\n`;

function word(words: Record<string, string>, key: string): string {
  const found = words[key];
  if (found === undefined) throw new Error(`the language has no word '${key}'`);
  return found;
}

const deckOf = (drawing: Drawing): "swiss" | "french" => (drawing === "swiss" ? "swiss" : "french");

function index(drawing: Drawing, rank: Rank, words: Record<string, string>): string {
  if (rank === "T") return "10";
  return "JQKA".includes(rank) ? word(words, `index_${deckOf(drawing)}_${rank.toLowerCase()}`) : rank;
}

function title(drawing: Drawing, rank: Rank, suit: Suit, words: Record<string, string>): string {
  const deck = deckOf(drawing);
  const rankWord = word(
    words,
    "TJQKA".includes(rank) ? `rank_${deck}_${rank.toLowerCase()}` : `rank_${rank}`,
  );
  return word(words, "card_name")
    .replace("{rank}", rankWord)
    .replace("{suit}", word(words, `suit_of_${deck}_${suit.toLowerCase()}`));
}
