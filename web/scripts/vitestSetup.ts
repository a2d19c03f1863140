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
import msgspec
from jasstisch.i18n import LANGUAGES
from jasstisch.server.http.localized_texts import LocalizedTexts
print(msgspec.json.encode({lang: LocalizedTexts().game_texts(lang) for lang in LANGUAGES}).decode())`;

// Modules are imported once for all tests; this file runs again for each test file.
if (!gameTexts.loaded) {
  const words = JSON.parse(python("-c", WORDS)) as Record<string, Record<string, GameTexts>>;
  settings.locale = "en";
  await Promise.all(locales.map((locale) => loadMessages(locale, "all")));
  await Promise.all(Object.keys(words.en ?? {}).map(loadGameUi));
  for (const locale of locales) gameTexts.set(locale, words[locale] ?? {});
}

beforeEach(() => {
  settings.locale = "en";
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
