import { describe, expect, it } from "vitest";
import type { GameInfo } from "../../api/messages";
import { parseLastChoices, stillOffered } from "./lastChoices";

const option = (name: string, more: object) => ({
  name,
  default: null,
  values: null,
  min: null,
  max: null,
  ...more,
});
const molotov = {
  name: "molotov",
  options: [
    option("players", { default: 4, min: 3, max: 6 }),
    option("ties", { default: "nothing", values: ["nothing", "generous"] }),
    option("dealer", {}),
  ],
} as unknown as GameInfo;

describe("parseLastChoices and stillOffered", () => {
  it("restores choices as stored", () => {
    const stored = {
      game: "molotov",
      choices: { molotov: { players: 5, ties: "generous" } },
      thinkingTime: 30,
      matchTime: 600,
      starters: "all" as const,
      hints: true,
    };
    expect(parseLastChoices(JSON.stringify(stored))).toEqual(stored);
  });

  it("falls back to the initial choices for invalid data", () => {
    const nothing = parseLastChoices(null);
    expect(nothing.game).toBe("");
    for (const text of ["", "{", "[]", "7", '{"game":4,"choices":[1],"thinkingTime":7,"starters":9}']) {
      expect(parseLastChoices(text)).toEqual(nothing);
    }
    expect(parseLastChoices('{"choices":{"a":{"b":{},"c":true,"d":"e"},"f":7}}').choices).toEqual({
      a: { d: "e" },
    });
  });

  it("keeps only choices that the game still offers", () => {
    const chosen = { players: 5, ties: "halves", dealer: 4, gone: 1 };
    expect(stillOffered(molotov, chosen)).toEqual({ players: 5, dealer: 4 });
    expect(stillOffered(molotov, { players: 9, dealer: null })).toEqual({ dealer: null });
  });
});
