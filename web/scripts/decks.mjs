// Publishes the decks: `npm run decks -- DIR [LANGUAGE [DECK…]]` writes every card as an SVG file, with the
// licence beside them. The language (de, en, fr, it; en unless said) tells the letters in the corners, and
// where decks are named (swiss, french, french-four-colours) only these are written.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { runnerImport } from "vite";
import { root } from "./python.mjs";

const [directory, language = "en", ...decks] = process.argv.slice(2);
if (!directory) {
  console.error("say where: npm run decks -- DIR [LANGUAGE [DECK…]]");
  process.exit(2);
}
const web = resolve(root, "web");
const words = JSON.parse(readFileSync(resolve(root, `src/jasstisch/i18n/common/${language}.json`), "utf-8"));
const { module } = await runnerImport(resolve(web, "decks/files.ts"), { configFile: false });
const wanted = ([path]) => decks.length === 0 || !path.includes("/") || decks.includes(path.split("/")[0]);
const files = new Map([...module.files(words)].filter(wanted));
for (const [path, text] of files) {
  const target = resolve(directory, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}
copyFileSync(resolve(web, "decks/LICENSE"), resolve(directory, "LICENSE"));
console.log(`${files.size} files in ${resolve(directory)}`);
