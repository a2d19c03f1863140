import { describe, expect, it } from "vitest";
import type { Turn, View } from "../messages";
import { arranged, choices, hasOwnPanel, suitOf } from "./choosing";

const turn = (...legal: string[]): Turn => ({ legal, more: false, refused: {} });
const view = (phase: string, more: object = {}): View => ({ phase, game: "ramsch", ...more }) as View;

const TRUMPS = ["trump C", "trump D", "trump H", "trump S"];

describe("a choice among actions", () => {
  it("is what may be done besides playing a card", () => {
    expect(choices(turn(...TRUMPS, "push"), view("announce"))).toEqual([...TRUMPS, "push"]);
    expect(choices(turn("play 7C", "play 8C weis", "knock"), view("play"))).toEqual(["knock"]);
    expect(choices(turn("play 7C"), view("play"))).toEqual([]);
    expect(choices(null, view("announce"))).toEqual([]);
  });

  it("is left to the panels that are made for a phase, where it is theirs", () => {
    expect(hasOwnPanel(view("bid", { has_bid: [] }))).toBe(true);
    expect(choices(turn("bid 0", "bid 1"), view("bid", { has_bid: [] }))).toEqual([]);
    expect(choices(turn("stay", "drop"), view("answer", { said: [] }))).toEqual([]);
    expect(choices(turn("doubt", "pass"), view("answer", { turns: [] }))).toEqual([]);
    expect(choices(turn("play 7C", "rob"), view("play", { robbed: null }))).toEqual([]);
  });

  it("has the same name in a game that means something else by it", () => {
    expect(choices(turn("bid 60", "pass"), view("bid"))).toEqual(["bid 60", "pass"]);
    expect(choices(turn("yes", "no"), view("answer"))).toEqual(["yes", "no"]);
  });

  it("shows suits, and stands with what begins alike; what hands it on comes last", () => {
    const jokers = ["joker 7 trump C", "joker 7 trump D", "joker 7 tops", "joker 8 tops"];
    const found = arranged("ramsch", [...TRUMPS, "tops", "slalom tops", ...jokers, "push"]);
    expect(found.suits).toEqual(TRUMPS);
    expect(found.others).toEqual(["tops", "slalom tops", "joker 8 tops"]);
    expect(found.groups).toEqual([
      {
        head: "joker 7",
        actions: [
          { action: "joker 7 trump C", rest: "trump C" },
          { action: "joker 7 trump D", rest: "trump D" },
          { action: "joker 7 tops", rest: "tops" },
        ],
      },
    ]);
    expect(found.last).toEqual(["push"]);
  });

  it("knows the suit of an action, with words or without", () => {
    expect(suitOf("ramsch", "trump H")).toBe("H");
    expect(suitOf("ramsch", "tops")).toBeNull();
    expect(suitOf("ramsch", "S")).toBeNull();
  });
});
