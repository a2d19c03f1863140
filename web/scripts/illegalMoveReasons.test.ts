import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { ILLEGAL_MOVE_REASONS } from "../src/features/hand/illegalMoveText";
import { root } from "./python.mjs";

const games = resolve(root, "src/jasstisch/games");

/** Every reason code written in the rules of the games, as `Refusal("C8b", "follow", …)`. */
function codes(): string[] {
  const sources = readdirSync(games)
    .filter((name) => name.endsWith(".py"))
    .map((name) => readFileSync(resolve(games, name), "utf-8"));
  const found = sources.join("\n").matchAll(/Refusal\(\s*"\w+",\s*"(\w+)"/g);
  return [...new Set([...found].map(([, code]) => code ?? ""))];
}

describe("ILLEGAL_MOVE_REASONS", () => {
  it("contains every reason code that the game rules use", () => {
    expect(codes().length).toBeGreaterThan(8);
    expect(codes().filter((code) => !(ILLEGAL_MOVE_REASONS as readonly string[]).includes(code))).toEqual([]);
  });
});
