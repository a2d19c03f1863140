// Words for actions without labels in the games' texts: playing a card, bidding, laying.
import { actionText } from "../../games/actionLabels";
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

export interface CardInput {
  /** The words that name the card. */
  words: string[];
  /** Whether Weis is to be announced; null if the input does not say. */
  weis: boolean | null;
  /** Whether the input says that the reader does not want to rob first. */
  skipsRobbing: boolean;
}

/** The parts of an input that plays a card: `JC`, `play JC weis`, `JC without`, `JC without weis`. */
export function parseCardInput(words: readonly string[], game: string): CardInput {
  const weis = [...commandSynonyms(m.text_word_weis), m.weis_word()].flatMap(splitWords);
  const rob = ["rob", ...splitWords(actionText(game, "rob"))];
  const without = commandSynonyms(m.text_word_without).flatMap(splitWords);
  const play = verbSynonyms("play");
  const [first = "", ...more] = words.filter((word, place) => place > 0 || !play.includes(word));
  const end = more.findIndex((word) => without.includes(word));
  const [said, declined] = end < 0 ? [more, null] : [more.slice(0, end), more.slice(end + 1)];
  const keepsWeis =
    declined !== null && (declined.length === 0 || declined.some((one) => weis.includes(one)));
  const rest = said.filter((word) => !weis.includes(word));
  return {
    words: [first, ...rest].filter((word) => word !== ""),
    weis: rest.length < said.length ? true : keepsWeis ? false : null,
    skipsRobbing:
      declined !== null &&
      (declined.length === 0 || declined.some((one) => rob.some((word) => one.startsWith(word)))),
  };
}
