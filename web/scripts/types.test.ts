// @vitest-environment node
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { messageTypes } from "./types.mjs";

it(
  "src/api/messages.ts matches the types generated from the server's structs",
  { timeout: 30_000 },
  async () => {
    const file = fileURLToPath(new URL("../src/api/messages.ts", import.meta.url));
    expect(readFileSync(file, "utf-8"), "run `npm run types`").toBe(await messageTypes());
  },
);
