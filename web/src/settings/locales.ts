// The languages of the page, as in web/project.inlang.
export const locales = ["de", "fr", "it", "en"] as const;

export type Locale = (typeof locales)[number];
