// Loads the messages of one language: all four would be a third of what a phone has to fetch before it
// shows anything. The first part has those that a table shows during a round; the others are loaded
// together with the panels that need them.
import { untrack } from "svelte";
import type { m as Messages } from "./paraglide/messages.js";
import { settings } from "../settings/settings.svelte";
import type { Locale } from "../settings/locales";

/** The messages of a language, each by its key. */
type Texts = Record<string, (words?: object) => string>;
/** The initial messages, or all. */
type Extent = "first" | "all";
type Fetch = Record<string, () => Promise<object>>;

// scripts/messageParts.ts splits them.
const FIRST: Fetch = import.meta.glob("./paraglide/messages/??.js", { query: "?first" });
const LATER: Fetch = import.meta.glob("./paraglide/messages/??.js", { query: "?later" });

let loaded = $state.raw<Record<Extent, Partial<Record<Locale, Texts>>>>({ first: {}, all: {} });
/** The extent needed: once a part of the page has needed all messages, the initial ones are not enough. */
let wanted = $state.raw<Extent>("first");
/** The language shown last, which is used while the chosen one is loading. */
let latest: Locale | null = null;

async function fetched(parts: Fetch, locale: Locale): Promise<Texts> {
  const fetch = parts[`./paraglide/messages/${locale}.js`];
  if (!fetch) throw new Error(`there are no messages in ${locale}`);
  return (await fetch()) as Texts;
}

/**
 * Loads the messages of a language, once: to the extent needed so far, or all. Rejects if they cannot be
 * fetched.
 */
export async function loadMessages(locale: Locale, extent: Extent = untrack(() => wanted)): Promise<void> {
  // Waiting for one language does not depend on the arrival of another.
  if (untrack(() => loaded[extent][locale])) return;
  const parts = extent === "all" ? [FIRST, LATER] : [FIRST];
  const found = await Promise.all(parts.map((one) => fetched(one, locale)));
  if (latest === null || locale === settings.locale) latest = locale;
  const texts = Object.assign({}, ...found) as Texts;
  loaded = { ...loaded, [extent]: { ...loaded[extent], [locale]: texts } };
}

/** Loads a part of the page together with the messages that only such parts show. */
export async function loadWithMessages<T>(load: () => Promise<T>): Promise<T> {
  const locale = (): Locale => untrack(() => settings.locale);
  const piece = load();
  let known: Locale;
  do {
    known = locale();
    await Promise.all([piece, loadMessages(known, "all")]);
  } while (known !== locale());
  wanted = "all";
  return piece;
}

function textsOf(locale: Locale): Texts {
  const { first, all } = loaded;
  const texts = all[locale] ?? (wanted === "first" ? first[locale] : null);
  const before = latest && (all[latest] ?? first[latest]);
  const found = texts ?? before;
  if (!found) throw new Error(`no messages of any language are loaded; ${locale} is wanted`);
  return found;
}

const spoken = new Map<string, (words?: object, options?: { locale?: Locale }) => string>();

/** A message by its key, in the language set when it is called. */
function message(key: string): (words?: object, options?: { locale?: Locale }) => string {
  let one = spoken.get(key);
  if (!one) {
    one = (words = {}, { locale = settings.locale } = {}) => {
      const text = textsOf(locale)[key];
      // Keys with capital letters do not work: the library exports them under other names.
      if (!text) throw new Error(`no message is called ${key}, or it is not among the first ones`);
      return text(words);
    };
    spoken.set(key, one);
  }
  return one;
}

/** All messages, typed by the texts themselves. */
export const m = new Proxy({} as typeof Messages, { get: (_, key) => message(String(key)) });
