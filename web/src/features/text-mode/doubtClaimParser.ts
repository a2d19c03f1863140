// Parses typed claims of I Doubt It: `lay 3C 7D KD as J`, `king of clubs, 3C, 7D as jacks`. The server
// lists only the first of many thousand legal claims, so a claim is checked by its cards here.
import { cardsToLay, mustLay, layAction } from "../../games/i-doubt-it/model";
import { doubtView } from "../../api/narrowGameView";
import { cardName } from "../../cards/cardNames";
import type { Rank } from "../../cards/cards";
import { m } from "../../i18n";
import type { TableState } from "../../table/tableState";
import type { Deck } from "../../settings/settings.svelte.ts";
import { matchCards, matchRank } from "./cardParser";
import { splitWords } from "./fuzzyMatch";
import { claimSeparators, verbSynonyms } from "./defaultVerbs";

/** The maximum number of words of a card's name, such as `the king of clubs`. */
const MAX_NAME_WORDS = 4;

/** All ways to split a text into cards and rank. */
function cuts(words: readonly string[]): { cards: string[]; rank: string }[] {
  const cut = claimSeparators().flatMap((as) => {
    const at = words.lastIndexOf(as);
    return at > 0 ? [{ cards: words.slice(0, at), rank: words.slice(at + 1).join(" ") }] : [];
  });
  return [...cut, { cards: words.slice(0, -1), rank: words.at(-1) ?? "" }];
}

/** Parses words as a sequence of cards; null if they are not. */
function cardsIn(words: readonly string[], hand: readonly string[], deck: Deck): string[] | null {
  if (words.length === 0) return [];
  for (let length = Math.min(MAX_NAME_WORDS, words.length); length > 0; length -= 1) {
    const meant = matchCards(words.slice(0, length).join(" "), hand, deck);
    const [card] = meant;
    if (card === undefined || meant.length > 1) continue;
    const others = cardsIn(words.slice(length), hand, deck);
    if (others) return [card, ...others];
  }
  return null;
}

function claimed(words: readonly string[], hand: readonly string[], deck: Deck) {
  for (const { cards, rank } of cuts(words)) {
    const named: Rank | null = matchRank(rank, deck);
    const laid = named && cardsIn(cards, hand, deck);
    if (named && laid && laid.length > 0) return { cards: laid, rank: named };
  }
  return null;
}

/** The claim that a text makes, or why it is illegal; null if the text is not a claim. */
export function matchLay(
  text: string,
  table: TableState,
  deck: Deck,
): { action: string } | { text: string } | null {
  const view = doubtView(table.view);
  if (!view || !mustLay(table)) return null;
  const all = splitWords(text);
  const begun = verbSynonyms("lay").includes(all[0] ?? "");
  const words = begun ? all.slice(1) : all;
  const hand = view.hand ?? [];
  const claim = claimed(words, hand, deck);
  if (!claim) return begun ? { text: `${m.reason_lay()} ${layHelp(table)}` } : null;
  const missing = claim.cards.find((card) => !hand.includes(card));
  if (missing) return { text: `${cardName(missing, deck)}: ${m.reason_not_held()}` };
  const whole = new Set(claim.cards).size === claim.cards.length;
  if (!whole || claim.cards.length !== cardsToLay(view)) return { text: m.reason_lay() };
  return { action: layAction(claim.cards, claim.rank) };
}

/** Help on typing a claim, with cards of the hand as an example. */
export function layHelp({ view }: TableState): string {
  const cards = view?.hand?.slice(0, view ? cardsToLay(view) : 0) ?? [];
  const [as = "as"] = claimSeparators();
  const [lay = "lay"] = verbSynonyms("lay").slice(1);
  return m.text_lay_how({ text: `${lay} ${cards.join(" ")} ${as} J` });
}
