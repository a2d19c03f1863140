// Splits the messages of a language into two parts: those that a table shows during a round, and all
// others, which are loaded together with lazily loaded screens and panels.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

/** The entry points whose messages, with those of their static imports, come first. */
const FIRST = ["app/main.ts", "features/table/TablePage.svelte", "features/table/PlayScreen.svelte"];
/** Games are loaded without further messages. */
const GAMES = "games";

const ENDINGS = ["", ".ts", ".svelte.ts", "/index.ts"];

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

/** The keys of the messages that come first; `src` is the folder of the sources. */
export function initialMessageKeys(src: string): Set<string> {
  const games = readdirSync(join(src, GAMES), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ts|svelte)$/.test(name) && !name.endsWith(".test.ts"))
    .map((name) => join(GAMES, name));
  return messageKeysUsed([...FIRST, ...games].map((name) => join(src, name)));
}

/**
 * Splits the compiled messages of a language into `de.js?first` and `de.js?later`. In development and in
 * unit tests all messages are in the first part.
 */
export function splitMessages(src: string): Plugin {
  let first: Set<string> | null = null;
  return {
    name: "split-messages",
    enforce: "pre",
    configResolved({ command }) {
      if (command === "build") first = initialMessageKeys(src);
    },
    load(id) {
      const [, file, part] = /^(.*\/messages\/\w\w\.js)\?(first|later)$/.exec(id) ?? [];
      if (!file) return null;
      this.addWatchFile(file);
      const code = readFileSync(file, "utf8");
      const kept = this.parse(code).body.filter((one) => {
        if (one.type !== "ExportNamedDeclaration" || one.declaration?.type !== "VariableDeclaration")
          return true;
        const [declared] = one.declaration.declarations;
        const key = declared?.id.type === "Identifier" ? declared.id.name : "";
        return (first === null || first.has(key)) === (part === "first");
      });
      return kept.map(({ start, end }) => code.slice(start, end)).join("\n");
    },
  };
}
