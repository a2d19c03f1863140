// @vitest-environment node
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { messageTypes } from "./types.mjs";

it("keeps src/api/messages.ts equal to the server's structs", { timeout: 30_000 }, async () => {
  const file = fileURLToPath(new URL("../src/api/messages.ts", import.meta.url));
  expect(readFileSync(file, "utf-8"), "run `npm run types`").toBe(await messageTypes());
});
