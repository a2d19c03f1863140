// The phrases that can be said at a table without typing, in the reader's language.
import { m } from "../i18n";
import type { SendPhrase } from "../api/messages";

export type Phrase = SendPhrase["phrase"];

/** All phrases, in the order in which they are offered. */
export const PHRASES: Record<Phrase, () => string> = {
  hello: m.phrase_hello,
  good_luck: m.phrase_good_luck,
  well_played: m.phrase_well_played,
  bravo: m.phrase_bravo,
  thanks: m.phrase_thanks,
  cheers: m.phrase_cheers,
  oops: m.phrase_oops,
  sorry: m.phrase_sorry,
  one_moment: m.phrase_one_moment,
  no_hurry: m.phrase_no_hurry,
  such_is_jass: m.phrase_such_is_jass,
  revenge: m.phrase_revenge,
  again: m.phrase_again,
  goodbye: m.phrase_goodbye,
};

export function isPhrase(words: string): words is Phrase {
  return Object.hasOwn(PHRASES, words);
}
