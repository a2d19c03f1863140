// Asks for everything that the first screen needs, all at once, before any script has come. The build writes
// this script into the page, with the names of the files (scripts/inlinePreload.ts).
import { cataloguePath, gamePath, gameTextsPath, PUBLIC_TABLES_PATH } from "../api/paths";
import type { PageConfig } from "../api/messages";
import { openEarlySocket } from "../api/earlySocket";
import { parseRoute, type Route } from "../browser/routes";
import { loadTableKey } from "../browser/tableLinkKeys";
import { firstGame } from "../features/start/firstGame";
import { gameFolder } from "../games/gameFolder";
import { browserLocale, offeredLocales, type Locale } from "../settings/locales";
import { readPageConfig } from "../settings/pageConfig";
import { LAST_CHOICES_KEY, SETTINGS_KEY } from "../settings/storageKeys";

/** The names of files of the build: scripts, and style sheets that end in `.css`. */
type FileNames = readonly string[];

/** What a screen needs, without what every screen needs. */
export interface ScreenFiles {
  files: FileNames;
  /** The parts of the messages, by language. */
  messages: Readonly<Record<Locale, FileNames>>;
}

export interface PreloadFiles {
  /** The style sheets of every screen. */
  styles: FileNames;
  start: ScreenFiles;
  table: ScreenFiles;
  /** What a table of a game needs as well, by the game's folder. */
  games: Readonly<Record<string, FileNames>>;
  font: string;
}

/** What the build fills in; names are relative to the folder of the files. */
declare const FILES: PreloadFiles;

const FOLDER = "/assets/";
const files = FILES;

function storedObject(key: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(localStorage.getItem(key) ?? "{}")) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function link(href: string, attributes: Readonly<Record<string, string>>): void {
  const element = document.createElement("link");
  for (const [name, value] of Object.entries({ ...attributes, href })) element.setAttribute(name, value);
  document.head.append(element);
}

const SCRIPT = { rel: "modulepreload", crossorigin: "" };
const STYLESHEET = { rel: "stylesheet", crossorigin: "" };
const STYLE = { rel: "preload", as: "style", crossorigin: "" };
const FONT = { rel: "preload", as: "font", type: "font/woff2", crossorigin: "" };
const DATA = { rel: "preload", as: "fetch", crossorigin: "" };

function preloadFiles(names: FileNames): void {
  for (const name of names) link(FOLDER + name, name.endsWith(".css") ? STYLE : SCRIPT);
}

function preloadStart(locale: Locale, config: PageConfig): void {
  const game = firstGame(config.games, storedObject(LAST_CHOICES_KEY).game);
  link(cataloguePath(locale, config.texts), DATA);
  link(gamePath(game), DATA);
  link(gameTextsPath(game, locale, config.texts), DATA);
  link(PUBLIC_TABLES_PATH, DATA);
  // A table fetches it later: its cards come first.
  link(FOLDER + files.font, FONT);
}

function preloadGame(game: string, locale: Locale, config: PageConfig): void {
  link(gameTextsPath(game, locale, config.texts), DATA);
  preloadFiles(files.games[gameFolder(game)] ?? []);
}

function preload(route: Route, chosen: unknown): void {
  if (route.name !== "start" && route.name !== "table") return;
  const config = readPageConfig();
  const offered = offeredLocales(config.languages);
  const locale = offered.find((one) => one === chosen) ?? browserLocale(navigator.languages, offered);
  preloadFiles(files[route.name].files);
  preloadFiles(files[route.name].messages[locale]);
  if (route.name === "start") return preloadStart(locale, config);
  const key = route.key ?? loadTableKey(route.table);
  openEarlySocket(route.table, key, (game) => preloadGame(game, locale, config));
}

const { dataset } = document.documentElement;
// Added by a script they do not hold back the first paint; main.ts waits for them.
for (const name of files.styles) link(FOLDER + name, STYLESHEET);
const { locale, theme } = storedObject(SETTINGS_KEY);
// A page that the service worker has kept waits for the server (browser/offlineShell.ts).
if (!("kept" in dataset)) preload(parseRoute(location.pathname, location.hash), locale);
// The first paint is in the chosen colours.
if (theme === "light" || theme === "dark") dataset.theme = theme;
