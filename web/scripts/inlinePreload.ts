// Writes src/app/preload.ts into the page as an inline script, with the names of the files that each screen
// needs. The server allows it by its hash (src/jasstisch/server/http/static_client.py).
import { fileURLToPath } from "node:url";
import { build, type Plugin, type Rollup } from "vite";
import type { PreloadFiles, ScreenFiles } from "../src/app/preload.ts";
import { locales, type Locale } from "../src/settings/locales.ts";

/** The script adds the style sheets, because those in the page itself hold back the first paint. */
const STYLE_LINK = / *<link rel="stylesheet"[^>]*>\n/g;
const PLACEHOLDER = "<!-- preload -->";
/** What explains the page to its authors; the server fills in the other two. */
const COMMENT = /\n *<!--(?! config | preview )[^]*?-->/g;
const SOURCE = fileURLToPath(new URL("../src/app/preload.ts", import.meta.url));
const FOLDER = "assets/";
const FONT = "source-sans-3-latin-wght-normal";
const ENTRY = "/app/main.ts";
const SCREENS = {
  start: { entry: "/start/StartPage.svelte", parts: ["start"] },
  table: { entry: "/table/TablePage.svelte", parts: ["start", "table"] },
} as const;
const GAME = /\/games\/([^/]+)\/gameUi\.ts$/;

type Bundle = Rollup.OutputBundle;

function chunksOf(bundle: Bundle): Rollup.OutputChunk[] {
  return Object.values(bundle).filter((one) => one.type === "chunk");
}

/** The chunk that holds a module. */
function chunkOf(bundle: Bundle, end: string): Rollup.OutputChunk {
  const found = chunksOf(bundle).find((one) => one.moduleIds.some((id) => id.endsWith(end)));
  if (!found) throw new Error(`no chunk of the build holds ${end}`);
  return found;
}

/** Chunks and those that they import, transitively. */
function closure(bundle: Bundle, chunks: Iterable<Rollup.OutputChunk>): Set<Rollup.OutputChunk> {
  const found = new Set(chunks);
  for (const one of found) {
    for (const name of one.imports) {
      const imported = bundle[name];
      if (imported?.type === "chunk") found.add(imported);
    }
  }
  return found;
}

/** A file's name within the folder of the files. */
function local(name: string): string {
  if (!name.startsWith(FOLDER)) throw new Error(`${name} is not in ${FOLDER}`);
  return name.slice(FOLDER.length);
}

/** The files of chunks and of those that they import, without those of other chunks. */
function filesOf(
  bundle: Bundle,
  chunks: Iterable<Rollup.OutputChunk>,
  without: Set<Rollup.OutputChunk>,
): string[] {
  const added = [...closure(bundle, chunks)].filter((one) => !without.has(one));
  return added.flatMap((one) => [one.fileName, ...(one.viteMetadata?.importedCss ?? [])].map(local));
}

/** The chunks of a screen, and of every screen. */
function screenChunks(bundle: Bundle, screen: keyof typeof SCREENS): Rollup.OutputChunk[] {
  return [ENTRY, SCREENS[screen].entry].map((end) => chunkOf(bundle, end));
}

function screenFiles(bundle: Bundle, screen: keyof typeof SCREENS): ScreenFiles {
  const everywhere = closure(bundle, [chunkOf(bundle, ENTRY)]);
  const messages = locales.map((locale) => [
    locale,
    SCREENS[screen].parts.map((part) => local(chunkOf(bundle, `/messages/${locale}.js?${part}`).fileName)),
  ]);
  return {
    files: filesOf(bundle, screenChunks(bundle, screen), everywhere),
    messages: Object.fromEntries(messages) as Record<Locale, string[]>,
  };
}

/** The files of each game with a display of its own, by its folder. */
function gameFiles(bundle: Bundle): Record<string, string[]> {
  const loaded = closure(bundle, screenChunks(bundle, "table"));
  const found: Record<string, string[]> = {};
  for (const chunk of chunksOf(bundle)) {
    for (const id of chunk.moduleIds) {
      const folder = GAME.exec(id)?.[1];
      if (folder) found[folder] = filesOf(bundle, [chunk], loaded);
    }
  }
  return found;
}

/** Compiles the script, with the names filled in. */
async function compiled(files: PreloadFiles): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "silent",
    define: { FILES: JSON.stringify(files) },
    build: { write: false, rolldownOptions: { input: SOURCE, output: { format: "iife" } } },
  });
  const [chunk] = "output" in built ? built.output : [];
  if (chunk?.type !== "chunk") throw new Error(`${SOURCE} was not compiled`);
  return chunk.code.trim();
}

export const inlinePreload: Plugin = {
  name: "inline-preload",
  apply: "build",
  enforce: "post",
  async generateBundle(_, bundle) {
    const page = bundle["index.html"];
    const font = Object.keys(bundle).find((name) => name.includes(FONT));
    if (page?.type !== "asset" || !font) this.error("the build lacks the page or its font");
    const html = String(page.source);
    if (!html.includes(PLACEHOLDER)) this.error(`index.html lacks ${PLACEHOLDER}`);
    const links = html.match(STYLE_LINK) ?? [];
    const script = await compiled({
      styles: links.map((one) => local(/href="\/([^"]+)"/.exec(one)?.[1] ?? "")),
      start: screenFiles(bundle, "start"),
      table: screenFiles(bundle, "table"),
      games: gameFiles(bundle),
      font: local(font),
    });
    const without = links.reduce((text, one) => text.replace(one, ""), html);
    page.source = without.replace(PLACEHOLDER, () => `<script>${script}</script>`).replace(COMMENT, "");
  },
};
