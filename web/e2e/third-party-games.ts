// A server with games of another package: `ramsch`, as built in docs/adding-a-game.md, without texts for
// the page, and `bock`, with a phase of its own, texts and a rule sheet.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { python } from "../scripts/python.mjs";
import { Server } from "./server";
import { test as base } from "./page-actions";

const LAY = "import sys, pathlib, tests.guests as g; g.write_all_packages(pathlib.Path(sys.argv[1]))";

export const test = base.extend<object, { house: Server }>({
  house: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), "jasstisch-guests-"));
      python("-c", LAY, folder);
      const source = resolve(import.meta.dirname, "../../src");
      const server = new Server({ PYTHONPATH: [folder, source].join(delimiter) });
      await use(server);
      await server.remove();
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: "worker" },
  ],
});
