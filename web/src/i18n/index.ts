// The messages in the language of the settings. Reading a message inside a component is reactive, because
// the settings are.
import { settings } from "../settings/settings.svelte";
import { locales, type Locale } from "../settings/locales";
import { loadMessages, m, loadWithMessages, type Extent } from "./messageLoader.svelte";

/** Each language under its own name. */
export const LANGUAGE_NAMES: Record<Locale, string> = {
  de: "Deutsch",
  fr: "Français",
  it: "Italiano",
  en: "English",
};

/** A number with a real minus sign: `−3`. */
export function minusSigned(value: number): string {
  return String(value).replace("-", "−");
}

/** A change with its sign: `+2`, `−3`, `0`. */
export function signedChange(value: number): string {
  return value > 0 ? `+${value}` : minusSigned(value);
}

/** A list of names, the last two joined by "and" in the language. */
export function listNames(names: readonly string[]): string {
  return new Intl.ListFormat(settings.locale, { type: "conjunction" }).format(names);
}

/** The text with a capital first letter, for suits that begin a label. */
export function capitalized(text: string): string {
  return text.charAt(0).toLocaleUpperCase(settings.locale) + text.slice(1);
}

export { loadMessages, locales, m, loadWithMessages, type Extent, type Locale };
