// Splits the messages of a language into parts: those of the start page, those that a table shows besides
// during a round, and all others, which are loaded together with lazily loaded screens and panels.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";
import settings from "../project.inlang/settings.json" with { type: "json" };

/** The entry points of each part, whose messages it has with those of their static imports. */
const ENTRIES = {
  start: ["app/main.ts", "features/start/StartPage.svelte", "features/start/PublicTables.svelte"],
  table: ["features/table/TablePage.svelte", "features/table/PlayScreen.svelte"],
};
/** Games are loaded without further messages. */
const GAMES = "games";

const ENDINGS = ["", ".ts", ".svelte.ts", "/index.ts"];

export type Part = keyof typeof ENTRIES | "later";

/** The source that an import names; null for any other import. */
function fileOf(importer: string, name: string): string | null {
  const path = join(dirname(importer), name);
  const found = ENDINGS.map((ending) => path + ending).find(
    (one) => existsSync(one) && statSync(one).isFile(),
  );
  return found && /\.(ts|svelte)$/.test(found) ? found : null;
}

/** The keys of the messages used in these files and their static imports. */
export function messageKeysUsed(files: readonly string[]): Set<string> {
  const keys = new Set<string>();
  const all = new Set(files);
  for (const file of all) {
    const text = readFileSync(file, "utf8");
    for (const [, key] of text.matchAll(/\bm\.(\w+)/g)) keys.add(key as string);
    for (const [, name] of text.matchAll(/\b(?:from|import)\s+"(\.[^"]+)"/g)) {
      const imported = fileOf(file, name as string);
      if (imported) all.add(imported);
    }
  }
  return keys;
}

/** Tells the part of a message by its key; `src` is the folder of the sources. */
export function partsOfMessages(src: string): (key: string) => Part {
  const games = readdirSync(join(src, GAMES), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ts|svelte)$/.test(name) && !name.endsWith(".test.ts"))
    .map((name) => join(GAMES, name));
  const keysOf = (files: readonly string[]): Set<string> =>
    messageKeysUsed(files.map((name) => join(src, name)));
  const start = keysOf(ENTRIES.start);
  const table = keysOf([...ENTRIES.table, ...games]);
  return (key) => (start.has(key) ? "start" : table.has(key) ? "table" : "later");
}

/** All messages of a language by their keys; rejects those that are not plain texts with placeholders. */
function messagesOf(root: string, locale: string): { files: string[]; texts: Record<string, string> } {
  const patterns = settings["plugin.inlang.messageFormat"].pathPattern;
  const files = patterns.map((pattern) => join(root, pattern.replace("{locale}", locale)));
  const texts = Object.assign({}, ...files.map((file) => JSON.parse(readFileSync(file, "utf8")) as object));
  for (const [key, text] of Object.entries(texts)) {
    if (typeof text !== "string" || /[{}]/.test(text.replace(/\{\w+\}/g, ""))) {
      throw new Error(`${locale}: ${key} is not a plain text with placeholders such as {name}`);
    }
  }
  return { files, texts: texts as Record<string, string> };
}

/**
 * Makes modules such as `de.js?start`, whose default export has the texts of a part by their keys. As
 * functions, as the library compiles them for typed access, they would be twice as large. In development
 * and in unit tests all messages are in the first part.
 */
export function splitMessages(src: string): Plugin {
  let partOf: (key: string) => Part = () => "start";
  return {
    name: "split-messages",
    enforce: "pre",
    configResolved({ command }) {
      if (command === "build") partOf = partsOfMessages(src);
    },
    load(id) {
      const [, locale, part] = /\/messages\/(\w\w)\.js\?(start|table|later)$/.exec(id) ?? [];
      if (!locale) return null;
      const { files, texts } = messagesOf(join(src, ".."), locale);
      for (const file of files) this.addWatchFile(file);
      const kept = Object.entries(texts).filter(([key]) => partOf(key) === part);
      return { code: `export default ${JSON.stringify(Object.fromEntries(kept))}`, moduleType: "js" };
    },
  };
}
