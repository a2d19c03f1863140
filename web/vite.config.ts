import { paraglideVitePlugin } from "@inlang/paraglide-js";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

const server = process.env.JASSTISCH_SERVER ?? "http://127.0.0.1:8000";

const messages = paraglideVitePlugin({
  project: "./project.inlang",
  outdir: "./src/lib/paraglide",
  strategy: ["baseLocale"],
});

export default defineConfig({
  // Under vitest the messages are compiled before (`npm test`): the plugin's watcher would not end.
  plugins: process.env.VITEST ? [svelte()] : [messages, svelte()],
  build: {
    outDir: "../src/jasstisch/server/static",
    emptyOutDir: true,
    // The server allows no data: fonts and no inline scripts, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: {
      "/api": server,
      "/ws": { target: server, ws: true },
    },
  },
  test: {
    include: ["src/**/*.test.ts", "scripts/**/*.test.ts"],
    environment: "happy-dom",
  },
});
