// The messages in the language of the settings. Reading a message inside a component follows the
// language, because the settings are reactive.
import { settings } from "../settings/settings.svelte";
import { locales, type Locale } from "../settings/locales";
import { loadTexts, m, withTexts } from "./messageLoader.svelte";

/** Each language under its own name. */
export const LANGUAGES: Record<Locale, string> = {
  de: "Deutsch",
  fr: "Français",
  it: "Italiano",
  en: "English",
};

/** A number with a real minus sign: `−3`. */
export function signed(value: number): string {
  return String(value).replace("-", "−");
}

/** A change with its sign: `+2`, `−3`, `0`. */
export function change(value: number): string {
  return value > 0 ? `+${value}` : signed(value);
}

/** Names in a row, the last two joined by the word for "and". */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat(settings.locale, { type: "conjunction" }).format(names);
}

/** The text with its first letter large, for suits that begin a label. */
export function capital(text: string): string {
  return text.charAt(0).toLocaleUpperCase(settings.locale) + text.slice(1);
}

export { loadTexts, locales, m, withTexts, type Locale };
