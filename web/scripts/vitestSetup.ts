// All unit tests share one page: each finds it as if just opened by an English reader, with the texts of
// the games as the server provides them.
import { afterEach, beforeEach, vi } from "vitest";
import { loadGameUi } from "../src/games/loadGameUi";
import { gameTexts } from "../src/i18n/gameTexts.svelte";
import { loadMessages, locales } from "../src/i18n";
import type { GameTexts } from "../src/api/messages";
import { settings } from "../src/settings/settings.svelte";
import { python } from "./python.mjs";

const WORDS = `
from json import dumps, loads
from jasstisch.i18n import LANGUAGES
from jasstisch.server.http.localized_texts import LocalizedTexts
texts = LocalizedTexts()
print(dumps({lang: {game: loads(texts.game_texts(game, lang).body) for game in texts.games}
             for lang in LANGUAGES}))`;

// Modules are imported once for all tests; this file runs again for each test file.
if (!gameTexts.known("schieber")) {
  const words = JSON.parse(python("-c", WORDS)) as Record<string, Record<string, GameTexts>>;
  settings.locale = "en";
  await Promise.all(locales.map((locale) => loadMessages(locale, "all")));
  await Promise.all(Object.keys(words.en ?? {}).map(loadGameUi));
  for (const locale of locales) {
    for (const [game, texts] of Object.entries(words[locale] ?? {})) gameTexts.set(locale, game, texts);
  }
}

beforeEach(() => {
  settings.locale = "en";
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no server answers a unit test")));
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
