import { paraglideVitePlugin } from "@inlang/paraglide-js";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { brotliFiles } from "./scripts/brotliFiles.ts";
import { assignChunks, CHUNKS, type Chunk, type Modules } from "./scripts/chunks.ts";
import { inlinePreload } from "./scripts/inlinePreload.ts";
import { linkPreviews } from "./scripts/linkPreviews.ts";
import { splitMessages } from "./scripts/messageParts.ts";
import { parseSheet } from "./src/features/rules/parseSheet.ts";

const SOURCES = fileURLToPath(new URL("src", import.meta.url));
const MAIN = `${SOURCES}/app/main.ts`;
const server = process.env.JASSTISCH_SERVER ?? "http://127.0.0.1:8000";

const messages = paraglideVitePlugin({
  project: "./project.inlang",
  outdir: "./src/i18n/paraglide",
  strategy: ["baseLocale"],
  // A page loads one language.
  outputStructure: "locale-modules",
});

const texts = splitMessages(SOURCES);

const FONTS = ["@fontsource-variable/source-sans-3", "@fontsource/caveat-brush"];

/** Adds the licences of the fonts; Vite does so for the libraries. */
const fontLicences: Plugin = {
  name: "font-licences",
  generateBundle() {
    const texts = FONTS.map((font) => {
      const licence = new URL(`node_modules/${font}/LICENSE`, import.meta.url);
      return `${font}\n\n${readFileSync(licence, "utf8")}`;
    });
    this.emitFile({ type: "asset", fileName: "fonts.txt", source: texts.join("\n\n") });
  },
};

/** Parses the rule sheets of the package at build time: the page parses no Markdown. */
const sheets: Plugin = {
  name: "rule-sheets",
  enforce: "pre",
  load(id) {
    const file = /^(.*\.md)\?sheet$/.exec(id)?.[1];
    if (!file) return null;
    this.addWatchFile(file);
    const sheet = JSON.stringify(parseSheet(readFileSync(file, "utf8")));
    return { code: `export default ${sheet}`, moduleType: "js" };
  },
};

/**
 * Writes the build's hash into the service worker, so that browsers update it when anything has changed.
 */
const workerOfBuild: Plugin = {
  name: "worker-of-build",
  enforce: "post",
  generateBundle(_, bundle) {
    const worker = bundle["sw.js"];
    if (worker?.type !== "chunk") this.error("the build lacks the service worker");
    // Names in assets/ change with their content; that of the page stays.
    const build = createHash("sha256").update(Object.keys(bundle).sort().join());
    build.update(readFileSync(new URL("index.html", import.meta.url)));
    worker.code = worker.code.replace("__BUILD__", build.digest("hex").slice(0, 12));
  },
};

/** The configuration of the page, as the server gives it once it has started. */
async function serverConfig(): Promise<string> {
  for (;;) {
    const answer = await fetch(`${server}/api/house`).catch(() => null);
    if (answer?.ok) return answer.text();
    await new Promise((done) => setTimeout(done, 500));
  }
}

/** Under Vite's own server: writes into the page what the table server writes into a built one. */
const configOfServer: Plugin = {
  name: "config-of-server",
  apply: "serve",
  async transformIndexHtml(html) {
    const config = await serverConfig();
    const element = `<script type="application/json" id="config">${config.replaceAll("<", "\\u003c")}</script>`;
    return html.replace("<!-- config -->", () => element);
  },
};

/** Emits the texts of link previews for the server. */
const previewWords: Plugin = {
  name: "preview-words",
  generateBundle() {
    this.emitFile({ type: "asset", fileName: "previews.json", source: linkPreviews() });
  },
};

let chunks: Map<string, Chunk> | null = null;

/** The name of a chunk for its modules; null leaves a module to others. */
function named(name: Chunk): (id: string, graph: { getModuleInfo: Modules }) => string | null {
  return (id, graph) => {
    chunks ??= assignChunks(MAIN, (one) => graph.getModuleInfo(one));
    return chunks.get(id) === name ? name : null;
  };
}

export default defineConfig({
  // Under vitest the messages are compiled before (`npm test`): the plugin's watcher would not end.
  plugins: process.env.VITEST
    ? [texts, sheets, svelte()]
    : [
        ...[messages, texts, sheets, svelte(), configOfServer, inlinePreload],
        ...[fontLicences, previewWords, workerOfBuild, brotliFiles],
      ],
  // Components are mounted in unit tests, which otherwise find the part of Svelte for servers.
  ...(process.env.VITEST ? { resolve: { conditions: ["browser"] } } : {}),
  build: {
    outDir: "../src/jasstisch/server/static",
    emptyOutDir: true,
    // The browsers of docs/playing.md.
    target: ["chrome111", "edge111", "firefox125", "safari16.4"],
    // The server allows no data: fonts and no inline scripts, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ["index.html", "src/app/serviceWorker.ts"],
      // Its address is what a service worker is known by, and how far it reaches.
      output: {
        entryFileNames: ({ name }) => (name === "serviceWorker" ? "sw.js" : "assets/[name]-[hash].js"),
        // A group takes along what its modules import, unless another one has it already.
        codeSplitting: {
          groups: CHUNKS.map((name, index) => ({ name: named(name), priority: CHUNKS.length - index })),
        },
      },
    },
    license: { fileName: "libraries.md" },
  },
  server: {
    // Rule sheets and the texts of guided rounds lie beside this folder, in the Python package.
    fs: { allow: [".."] },
    // The compiler of messages touches its settings, which would start Vite again.
    watch: { ignored: ["**/project.inlang/**"] },
    // The server lets a page in whose origin is the very host that is called: the browser's word for
    // that is passed on as it is.
    proxy: {
      "/api": { target: server, changeOrigin: false },
      "/docs": { target: server, changeOrigin: false },
      "/ws": { target: server, changeOrigin: false, ws: true },
    },
  },
  test: {
    include: ["src/**/*.test.ts", "decks/**/*.test.ts", "scripts/**/*.test.ts"],
    environment: "happy-dom",
    // One page and one import of everything serves all tests.
    pool: "threads",
    isolate: false,
    setupFiles: ["scripts/vitestSetup.ts"],
    // No test measures time: a busy machine must not fail one.
    testTimeout: 60_000,
  },
});
