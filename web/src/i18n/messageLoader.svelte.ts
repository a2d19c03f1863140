// Loads the messages of one language: all four would be a third of what a phone has to fetch before it
// shows anything. They come in parts: those of the start page, then those that a table shows during a
// round; the others are loaded together with the panels that need them.
import { untrack } from "svelte";
import type { m as Messages } from "./paraglide/messages.js";
import { settings } from "../settings/settings.svelte";
import type { Locale } from "../settings/locales";

/** The messages of a language, each by its key, with placeholders such as `{name}`. */
type Texts = Readonly<Record<string, string>>;
/** How many of the parts are needed: those of the start page, those of a table too, or all. */
export type Extent = "start" | "table" | "all";
type Fetch = Record<string, () => Promise<{ default: Texts }>>;

// scripts/messageParts.ts splits them.
const PARTS: readonly Fetch[] = [
  import.meta.glob<{ default: Texts }>("./paraglide/messages/??.js", { query: "?start" }),
  import.meta.glob<{ default: Texts }>("./paraglide/messages/??.js", { query: "?table" }),
  import.meta.glob<{ default: Texts }>("./paraglide/messages/??.js", { query: "?later" }),
];
const EXTENTS: readonly Extent[] = ["start", "table", "all"];

interface Loaded {
  extent: number;
  texts: Texts;
}

let loaded = $state.raw<Partial<Record<Locale, Loaded>>>({});
/** The extent needed: once a part of the page has needed more messages, fewer are not enough. */
let wanted = $state(0);
/** The language shown last, which is used while the chosen one is loading. */
let latest: Locale | null = null;

async function fetched(part: Fetch, locale: Locale): Promise<Texts> {
  const fetch = part[`./paraglide/messages/${locale}.js`];
  if (!fetch) throw new Error(`there are no messages in ${locale}`);
  return (await fetch()).default;
}

/**
 * Loads the messages of a language, once: to this extent, or to the one needed so far. Rejects if they
 * cannot be fetched.
 */
export async function loadMessages(locale: Locale, upTo?: Extent): Promise<void> {
  const extent = upTo === undefined ? untrack(() => wanted) : EXTENTS.indexOf(upTo);
  const reached = (): boolean => untrack(() => (loaded[locale]?.extent ?? -1) >= extent);
  // Waiting for one language does not depend on the arrival of another.
  if (reached()) return;
  const parts = PARTS.slice(0, extent + 1);
  const found = await Promise.all(parts.map((part) => fetched(part, locale)));
  if (latest === null || locale === settings.locale) latest = locale;
  if (!reached()) loaded = { ...loaded, [locale]: { extent, texts: Object.assign({}, ...found) as Texts } };
}

/** Loads a part of the page together with the messages that it shows. */
export async function loadWithMessages<T>(load: () => Promise<T>, extent: Extent = "all"): Promise<T> {
  const locale = (): Locale => untrack(() => settings.locale);
  const piece = load();
  let known: Locale;
  do {
    known = locale();
    await Promise.all([piece, loadMessages(known, extent)]);
  } while (known !== locale());
  wanted = Math.max(wanted, EXTENTS.indexOf(extent));
  return piece;
}

function textsOf(locale: Locale): Texts {
  const chosen = loaded[locale];
  const found = chosen && chosen.extent >= wanted ? chosen : (latest && loaded[latest]) || chosen;
  if (!found) throw new Error(`no messages of any language are loaded; ${locale} is wanted`);
  return found.texts;
}

const PLACEHOLDER = /\{(\w+)\}/g;

type Words = Record<string, unknown>;

const spoken = new Map<string, (words?: Words, options?: { locale?: Locale }) => string>();

/** A message by its key, in the language set when it is called. */
function message(key: string): (words?: Words, options?: { locale?: Locale }) => string {
  let one = spoken.get(key);
  if (!one) {
    one = (words = {}, { locale = settings.locale } = {}) => {
      const text = textsOf(locale)[key];
      // Keys with capital letters do not work: the library exports them under other names.
      if (text === undefined) throw new Error(`no message is called ${key}, or it is not loaded yet`);
      return text.replace(PLACEHOLDER, (_, name: string) => String(words[name]));
    };
    spoken.set(key, one);
  }
  return one;
}

/** All messages, typed by the texts themselves. */
export const m = new Proxy({} as typeof Messages, { get: (_, key) => message(String(key)) });
