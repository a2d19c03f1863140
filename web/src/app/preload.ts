// Asks for everything that the first screen needs, all at once, before any script has come. The build writes
// this script into the page, with the names of the files (scripts/inlinePreload.ts).
import { cataloguePath, gamePath, gameTextsPath, PUBLIC_TABLES_PATH } from "../api/paths";
import { firstGame } from "../features/start/firstGame";
import { browserLocale, offeredLocales, type Locale } from "../settings/locales";
import { readPageConfig } from "../settings/pageConfig";
import { LAST_CHOICES_KEY, SETTINGS_KEY } from "../settings/storageKeys";

/** The files of the build that a screen needs, without those that every screen needs. */
export interface ScreenFiles {
  scripts: readonly string[];
  styles: readonly string[];
  /** The parts of the messages, by language. */
  messages: Readonly<Record<Locale, readonly string[]>>;
}

/** What the build fills in; names are relative to the folder of the files. */
declare const FILES: Readonly<Record<"start" | "table", ScreenFiles>> & {
  /** The style sheets of every screen. */
  styles: readonly string[];
  font: string;
};

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

function preload(screen: "start" | "table", chosen: unknown): void {
  const config = readPageConfig();
  const offered = offeredLocales(config.languages);
  const locale = offered.find((one) => one === chosen) ?? browserLocale(navigator.languages, offered);
  const { scripts, styles, messages } = files[screen];
  for (const name of styles) link(FOLDER + name, STYLE);
  for (const name of [...scripts, ...messages[locale]]) link(FOLDER + name, SCRIPT);
  if (screen === "start") {
    const game = firstGame(config.games, storedObject(LAST_CHOICES_KEY).game);
    link(cataloguePath(locale, config.texts), DATA);
    link(gamePath(game), DATA);
    link(gameTextsPath(game, locale, config.texts), DATA);
    link(PUBLIC_TABLES_PATH, DATA);
    // A table fetches it later: its cards come first.
    link(FOLDER + files.font, FONT);
  }
}

const { dataset } = document.documentElement;
const { pathname } = location;
const screen = pathname === "/" ? "start" : /^\/t\/[^/]+\/?$/.test(pathname) ? "table" : null;
// Added by a script they do not hold back the first paint; main.ts waits for them.
for (const name of files.styles) link(FOLDER + name, STYLESHEET);
const { locale, theme } = storedObject(SETTINGS_KEY);
// A page that the service worker has kept waits for the server (browser/offlineShell.ts).
if (screen && !("kept" in dataset)) preload(screen, locale);
// The first paint is in the chosen colours.
if (theme === "light" || theme === "dark") dataset.theme = theme;
