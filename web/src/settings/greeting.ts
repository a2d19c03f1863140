// The operator's greeting on the start page.
import { pageConfig } from "./pageConfig";
import { settings } from "./settings.svelte";

export interface Greeting {
  text: string;
  lang: string;
}

/** The greeting in the reader's language, else in the operator's first; null if there is none. */
export function greeting(): Greeting | null {
  const { greeting: greetings } = pageConfig;
  const lang = settings.locale in greetings ? settings.locale : Object.keys(greetings)[0];
  const text = lang === undefined ? undefined : greetings[lang];
  return lang === undefined || text === undefined ? null : { text, lang };
}
