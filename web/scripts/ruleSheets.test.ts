// Checks the package's rule sheets as the page shows them, for every game and language.
import { describe, expect, it } from "vitest";
import { cardName } from "../src/cards/cardNames";
import { withDefaults } from "../src/games/newTable";
import { gameTexts } from "../src/i18n/gameTexts.svelte";
import { locales, type Locale } from "../src/i18n";
import type { GameInfo } from "../src/api/messages";
import { houseRules } from "../src/features/rules/houseRules";
import { loadSheet } from "../src/features/rules/loadSheet";
import type { Inline, Sheet } from "../src/features/rules/ruleSheet";
import { settings } from "../src/settings/settings.svelte";
import { python } from "./python.mjs";

// The server's game catalogue as the page receives it.
const OFFERED = `
import msgspec
from jasstisch.games import games
from jasstisch.server.http.routes.games import build_game_infos
from jasstisch.server.workers.tasks import bots_by_game, games_with_hints
from jasstisch.server.workers.warmup import BotWarmup
bots = {game: list(names) for game, names in bots_by_game(games()).items()}
print(msgspec.json.encode(build_game_infos(games(), bots, games_with_hints(games()), BotWarmup())).decode())`;

const offered = JSON.parse(python("-c", OFFERED)) as GameInfo[];

/** The step of I Doubt It that speaks of "the other two jacks". */
const OTHER_JACKS = 2;

const EVERYTHING = offered.flatMap(({ name }) => locales.map((locale) => [name, locale] as const));

/** The sheet that the build generates from the package's rule sheet. */
async function sheetOf(game: string, locale: Locale): Promise<Sheet> {
  const sheet = await loadSheet(game, locale);
  if (!sheet) throw new Error(`no sheet for ${game}`);
  return sheet;
}

const plain = (parts: readonly Inline[]): string =>
  parts.map((part) => ("text" in part ? part.text : plain(part.parts))).join("");

const infoOf = (game: string): GameInfo => {
  const found = offered.find(({ name }) => name === game);
  if (!found) throw new Error(`the server does not offer ${game}`);
  return found;
};

/** All house rules of a table with these options. */
function rulesOf(sheet: Sheet, game: string, players: number, more: object) {
  const info = infoOf(game);
  return { info, rules: houseRules(sheet, info, { ...withDefaults(info, { players }), ...more }) };
}

describe.each(EVERYTHING)("rule sheet of %s in %s", (game, locale) => {
  it("has an entry for every option and marks the value in force", async () => {
    settings.locale = locale;
    const sheet = await sheetOf(game, locale);
    for (const option of infoOf(game).options) {
      const values = option.values ?? [option.min ?? 0, option.max ?? 0];
      for (const value of values) {
        const { rules } = rulesOf(sheet, game, 4, { [option.name]: value });
        const rule = rules.find(({ name }) => name === option.name);
        expect(rule, option.name).toBeDefined();
        const marked = rule?.values.filter(({ inForce }) => inForce).length;
        expect(marked, `${option.name}=${value}`).toBe(rule?.values.length ? 1 : 0);
        if (option.name !== "players") expect(rule?.changed).toBe(value !== option.default);
        if (rule?.values.length) expect(rule.values).toHaveLength(values.length);
        for (const one of rule?.values ?? []) expect(one.title).not.toBe("");
        expect(plain(rule?.usual ?? []) === "").toBe(rule?.values.length !== 0);
      }
    }
  });

  it("shows no clause numbers of the rule book", async () => {
    expect(JSON.stringify(await sheetOf(game, locale))).not.toMatch(/\b(?:C[OT]?|DF|ID|JS|M[VW]|SC)\d/);
  });

  it("locates the section that each house rule changes", async () => {
    const sheet = await sheetOf(game, locale);
    const info = infoOf(game);
    for (const { name } of info.options) {
      if (name === "players" || name === "direction") continue;
      const place = gameTexts.of(game)?.places[name];
      expect(place, name).toBeDefined();
      expect(sheet.sections[place ?? -1], name).toBeDefined();
    }
  });

  it("names in each step of its example the cards drawn there", async () => {
    settings.locale = locale;
    const sheet = await sheetOf(game, locale);
    const example = gameTexts.of(game)?.example;
    const list = sheet.sections[example?.section ?? -1]?.blocks.find(({ kind }) => kind === "list");
    if (!example || list?.kind !== "list") throw new Error("no example");
    expect(list.ordered).toBe(true);
    expect(list.items).toHaveLength(example.steps.length);
    // German hyphenates the name and declines its last word: `den Ecken-Buben`.
    const words = (card: string): string => cardName(card, "french").replace(/e$/, "");
    example.steps.forEach((cards, step) => {
      const told = plain(list.items[step] ?? []);
      if (game === "i-doubt-it" && step === OTHER_JACKS) return;
      for (const card of cards) expect(told).toContain(words(card));
    });
  });
});
