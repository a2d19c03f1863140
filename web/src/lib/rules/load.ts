// Fetches a rule sheet: one small file for each game and language, loaded when it is first opened.
import type { Locale } from "../i18n";
import type { Sheet } from "./sheet";

const FOLDER = "../../../../src/jasstisch/rulebook/";

const files = import.meta.glob<Sheet>("../../../../src/jasstisch/rulebook/*.md", {
  query: "?sheet",
  import: "default",
});

/** Whether there is a rule sheet for a game. */
export function hasSheet(game: string): boolean {
  return `${FOLDER}${game}.en.md` in files;
}

/** The rule sheet of a game; fails when the server cannot be reached. */
export async function loadSheet(game: string, locale: Locale): Promise<Sheet> {
  const load = files[`${FOLDER}${game}.${locale}.md`];
  if (!load) throw new Error(`no rule sheet for ${game} in ${locale}`);
  return load();
}
