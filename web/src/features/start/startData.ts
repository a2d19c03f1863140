// What the start page shows first: the list of games, the form of one of them, and the tables at
// which somebody waits, which stand above the games.
import type { PublicTables } from "../../api/messages";
import { listPublicTables } from "../../api/rest";
import { gameInfos } from "../../games/gameInfos.svelte";
import { catalogue } from "../../i18n/catalogue.svelte";
import { errorTextOf } from "../../i18n/errorText";
import { gameTexts } from "../../i18n/gameTexts.svelte";
import { pageConfig } from "../../settings/pageConfig";
import { firstGame } from "./firstGame";
import { loadLastChoices, type LastChoices } from "./lastChoices";

/** Milliseconds after which the page no longer waits for the public tables. */
const PUBLIC_TABLES_WAIT_MS = 1_500;

/** Milliseconds after which the page is drawn in another font. */
const FONT_WAIT_MS = 1_000;

/** Resolves when the font has come, so that no line moves, or after a moment. */
async function fontSoon(): Promise<void> {
  const late = new Promise<void>((done) => setTimeout(done, FONT_WAIT_MS));
  const { fontFamily } = getComputedStyle(document.documentElement);
  await Promise.race([document.fonts.load(`1em ${fontFamily}`).catch(() => undefined), late]);
}

/** What the start page begins with. */
export interface StartData {
  last: LastChoices;
  /** The game whose form is shown. */
  game: string;
  publicTables: PublicTables;
  /** Why the games are not known; "" if they are. */
  failure: string;
}

/** The public tables, once their display is loaded; none if they are not known within a moment. */
async function publicTablesSoon(loadDisplay: () => Promise<unknown>): Promise<PublicTables> {
  const none = { waiting: [], running: [] };
  const late = new Promise<PublicTables>((done) => setTimeout(() => done(none), PUBLIC_TABLES_WAIT_MS));
  const found = listPublicTables().then(async (tables) => {
    if (tables.waiting.length > 0) await loadDisplay();
    return tables;
  });
  return Promise.race([found.catch(() => none), late]);
}

/** Loads what the form of a game shows; rejects with a `ServerError`. */
export async function loadForm(game: string): Promise<void> {
  await Promise.all([gameInfos.load(game), gameTexts.load(game)]);
}

/** Loads what the page begins with, also the display of public tables. A failure is part of it. */
export async function loadStartData(loadDisplay: () => Promise<unknown>): Promise<StartData> {
  const last = loadLastChoices();
  const game = firstGame(pageConfig.games, last.game);
  const tables = publicTablesSoon(loadDisplay);
  const font = fontSoon();
  const failure = await Promise.all([catalogue.load(), loadForm(game)]).then(() => "", errorTextOf);
  await font;
  return { last, game, publicTables: await tables, failure };
}
