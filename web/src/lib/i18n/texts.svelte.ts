// The messages, of which a page loads those of one language: all four would be a third of what a
// phone has to fetch before it shows anything.
import { untrack } from "svelte";
import type { m as Messages } from "../paraglide/messages.js";
import { settings } from "../settings.svelte";
import type { Locale } from "./locales";

/** The messages of a language, each by its key. */
type Texts = Record<string, (words?: object) => string>;

const FETCH: Record<Locale, () => Promise<object>> = {
  de: () => import("../paraglide/messages/de.js"),
  fr: () => import("../paraglide/messages/fr.js"),
  it: () => import("../paraglide/messages/it.js"),
  en: () => import("../paraglide/messages/en.js"),
};

let loaded = $state.raw<Partial<Record<Locale, Texts>>>({});
/** The language shown last, which is read while the one wanted is on its way. */
let latest: Locale | null = null;

/** Loads the messages of a language, once; rejects where they can't be had. */
export async function loadTexts(locale: Locale): Promise<void> {
  // Whoever waits for one language is not asked again when another has come.
  if (untrack(() => loaded[locale])) return;
  const texts = (await FETCH[locale]()) as Texts;
  if (latest === null || locale === settings.locale) latest = locale;
  loaded = { ...loaded, [locale]: texts };
}

function textsOf(wanted: Locale): Texts {
  const texts = loaded[wanted] ?? (latest && loaded[latest]);
  if (!texts) throw new Error(`no messages of any language are loaded; ${wanted} is wanted`);
  return texts;
}

const spoken = new Map<string, (words?: object, options?: { locale?: Locale }) => string>();

/** A message by its key, in the language of the settings at the time it is read. */
function message(key: string): (words?: object, options?: { locale?: Locale }) => string {
  let one = spoken.get(key);
  if (!one) {
    one = (words = {}, { locale = settings.locale } = {}) => {
      const text = textsOf(locale)[key];
      // A key with a capital is none: the library names it otherwise.
      if (!text) throw new Error(`no message is called ${key}`);
      return text(words);
    };
    spoken.set(key, one);
  }
  return one;
}

/** All messages, typed by the texts themselves. */
export const m = new Proxy({} as typeof Messages, { get: (_, key) => message(String(key)) });
