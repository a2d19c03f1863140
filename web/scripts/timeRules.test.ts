import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { TIME_RULES } from "../src/table/timeLeft";
import { root } from "./python.mjs";

const source = readFileSync(resolve(root, "src/jasstisch/table/turns.py"), "utf-8");

it.each(Object.entries(TIME_RULES))("TIME_RULES has the server's value of %s", (name, figure) => {
  const [, there] = new RegExp(`^_?${name} = ([0-9.]+)$`, "m").exec(source) ?? [];
  expect(Number(there)).toBe(figure);
});
