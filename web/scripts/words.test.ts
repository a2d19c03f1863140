// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import {
  gameAbout,
  gameName,
  inOrder,
  optionHelp,
  optionIsKnown,
  optionLabel,
  valueHasWords,
  valueText,
} from "../src/lib/games/words";
import { locales } from "../src/lib/i18n";
import { settings } from "../src/lib/settings.svelte";
import { python } from "./python.mjs";

interface Offered {
  name: string;
  options: { name: string; values: (string | number | null)[] }[];
}

// Straight from the engine, so that a new option cannot come to the table without words.
const PRINT_GAMES = `
import json
from jasstisch.games.rules import REGISTRY
print(json.dumps([
    {"name": name, "options": [
        {"name": one.name, "values": list(getattr(one, "values", []))} for one in rules.options
    ]}
    for name, rules in REGISTRY.items()
]))`;

const offered = JSON.parse(python("-c", PRINT_GAMES)) as Offered[];
const shown = inOrder(offered);

describe.each(locales)("the games in %s", (locale) => {
  it("have a name and a line about them", () => {
    settings.locale = locale;
    expect(shown.length).toBeGreaterThanOrEqual(4);
    for (const game of shown) {
      expect(gameName(game.name)).not.toBe(game.name);
      expect(gameAbout(game.name)).not.toBe("");
    }
  });

  it("have words for every option and each of its values", () => {
    settings.locale = locale;
    for (const game of shown) {
      for (const option of game.options) {
        expect(optionIsKnown(option.name), `${game.name}: ${option.name}`).toBe(true);
        expect(optionLabel(option.name, game.name)).not.toBe(option.name);
        expect(optionHelp(option.name, game.name)).not.toBe("");
        const named = option.values.filter((value) => typeof value === "string");
        for (const value of named) {
          expect(valueHasWords(option.name, value), `${option.name}=${value}`).toBe(true);
          expect(valueText(option.name, value)).not.toBe("");
        }
      }
    }
  });
});
