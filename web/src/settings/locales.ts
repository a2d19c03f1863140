// The languages of the page, as in web/project.inlang, and which of them a reader gets.
export const locales = ["de", "fr", "it", "en"] as const;

export type Locale = (typeof locales)[number];

/** The languages of the page among these; all of them if there is none. */
export function offeredLocales(languages: readonly string[]): readonly Locale[] {
  const found = languages.filter((one): one is Locale => locales.some((own) => own === one));
  return found.length > 0 ? found : locales;
}

/** The first of the wanted languages that is offered, else English, else the first one offered. */
export function browserLocale(wanted: readonly string[], offered: readonly Locale[] = locales): Locale {
  for (const tag of wanted) {
    const language = tag.toLowerCase().split("-")[0];
    const found = offered.find((one) => one === language);
    if (found) return found;
  }
  return offered.includes("en") ? "en" : (offered[0] ?? "en");
}
