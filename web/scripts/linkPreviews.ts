// The texts of link previews, which the server inserts into the page: src/jasstisch/server/http/link_previews.py.
import { readFileSync } from "node:fs";
import settings from "../project.inlang/settings.json" with { type: "json" };

type Messages = Record<string, string>;

function words(m: Messages): object {
  return {
    title: m.preview_title,
    text: m.preview_text,
    table_title: m.preview_table_title,
    table_text: m.preview_table_text,
    picture: m.preview_picture,
  };
}

/** The texts of the previews in every language, as JSON. */
export function linkPreviews(): string {
  const told = settings.locales.map((locale) => {
    const file = new URL(`../messages/${locale}.json`, import.meta.url);
    return [locale, words(JSON.parse(readFileSync(file, "utf8")) as Messages)];
  });
  return JSON.stringify(Object.fromEntries(told));
}
