// Words for actions without labels in the games' texts: playing a card, bidding, laying.
import { m } from "../../i18n";
import { commandSynonyms } from "./commands";
import { splitWords } from "./fuzzyMatch";

const VERBS = { play: m.text_word_play, bid: m.text_word_bid, lay: m.text_word_lay };

/** Words that may stand for the first word of an action. */
export function verbSynonyms(verb: string): string[] {
  const message = VERBS[verb as keyof typeof VERBS];
  return [verb, ...(message ? commandSynonyms(message) : [])].flatMap(splitWords);
}

/** Words between the cards of a claim and its rank, the page's own language first. */
export function claimSeparators(): string[] {
  return [...new Set(commandSynonyms(m.text_word_as).flatMap(splitWords))];
}

/** The words of an input without those for playing and for Weis, and whether Weis was among them. */
export function mentionsWeis(words: readonly string[]): { words: string[]; weis: boolean } {
  const weis = [...commandSynonyms(m.text_word_weis), m.weis_word()].flatMap(splitWords);
  const play = verbSynonyms("play");
  const played = words.filter((word, place) => place > 0 || !play.includes(word));
  const rest = played.filter((word, place) => place === 0 || !weis.includes(word));
  return { words: rest, weis: rest.length < played.length };
}
