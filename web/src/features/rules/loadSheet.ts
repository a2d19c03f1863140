// Loads a rule sheet on demand: for built-in games a small file per game and language made by the build;
// for third-party games their Markdown from the server.
import { m, type Locale } from "../../i18n";
import { gameTexts } from "../../i18n/gameTexts.svelte";
import { optionHelp } from "../../i18n/gameLabels";
import type { GameInfo } from "../../api/messages";
import { getRuleSheet } from "../../api/rest";
import type { Sheet } from "./ruleSheet";

const FOLDER = "../../../../src/jasstisch/games/texts/";

const files = import.meta.glob<Sheet>("../../../../src/jasstisch/games/texts/*/*.md", {
  query: "?sheet",
  import: "default",
});

/** The rule sheet of a game, null if it has none; rejects if the server cannot be reached. */
export async function loadSheet(game: string, locale: Locale): Promise<Sheet | null> {
  const load = files[`${FOLDER}${game}/${game}.${locale}.md`];
  if (load) return load();
  if (gameTexts.of(game)?.sheet === false) return null;
  const markdown = await getRuleSheet(game, locale);
  if (markdown === null) return null;
  const { parseSheet } = await import("./parseSheet");
  return parseSheet(markdown);
}

/** A substitute for a game without a sheet: its options only. */
export function sheetWithoutText(game: GameInfo): Sheet {
  return {
    title: game.name,
    lead: [{ kind: "paragraph", parts: [{ kind: "text", text: m.rules_none() }] }],
    sections: [],
    house: {
      title: m.house_rules(),
      before: [],
      entries: game.options.map(({ name, values }) => ({
        name,
        intro: values ? [] : [{ kind: "text", text: optionHelp(name, game.name) }],
        alternatives: (values ?? []).map((value) => ({ value: String(value), parts: [] })),
      })),
    },
  };
}
