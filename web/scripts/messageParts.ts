// The texts of a language come in two parts: first those that a table shows while a round is played, and
// later, with the pieces of the page that are fetched when they are opened, all others.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

/** Whatever shows a text before anything was opened stands here, or is imported from here. */
const FIRST = ["app/main.ts", "features/table/TablePage.svelte", "features/table/PlayScreen.svelte"];
/** Games are fetched by themselves, without more texts. */
const GAMES = "games";

const ENDINGS = ["", ".ts", ".svelte.ts", "/index.ts"];

/** The source that an import names; null for whatever else it may be. */
function fileOf(importer: string, name: string): string | null {
  const path = join(dirname(importer), name);
  const found = ENDINGS.map((ending) => path + ending).find((one) => existsSync(one) && statSync(one).isFile());
  return found && /\.(ts|svelte)$/.test(found) ? found : null;
}

/** The keys of the texts that are read in these files, and in what they import without waiting. */
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

/** The keys of the texts that come first; `src` is the folder of the sources. */
export function initialMessageKeys(src: string): Set<string> {
  const games = readdirSync(join(src, GAMES), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ts|svelte)$/.test(name) && !name.endsWith(".test.ts"))
    .map((name) => join(GAMES, name));
  return messageKeysUsed([...FIRST, ...games].map((name) => join(src, name)));
}

/**
 * Divides the compiled messages of a language, `de.js?first` and `de.js?later`. While somebody works on
 * the page, and in unit tests, all are among the first: which they are is not asked again at each change.
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
        if (one.type !== "ExportNamedDeclaration" || one.declaration?.type !== "VariableDeclaration") return true;
        const [declared] = one.declaration.declarations;
        const key = declared?.id.type === "Identifier" ? declared.id.name : "";
        return (first === null || first.has(key)) === (part === "first");
      });
      return kept.map(({ start, end }) => code.slice(start, end)).join("\n");
    },
  };
}
