import { beforeAll, describe, expect, it } from "vitest";
import { loadGameUi } from "../loadGameUi";
import { gameUiOf } from "../registry";
import type { Turn } from "../../api/messages";
import { groupChoices, choicesIn, suitOfAction } from "./nonCardActions";

const turn = (...legal: string[]): Turn => ({ legal, more: false, refused: {} });
const open = (game: string, ...legal: string[]): string[] =>
  choicesIn(turn(...legal), gameUiOf(game).ownVerbs);

const TRUMPS = ["trump C", "trump D", "trump H", "trump S"];

beforeAll(() => loadGameUi("ramsch"));

describe("choicesIn, groupChoices and suitOfAction", () => {
  it("offers the actions other than playing a card", () => {
    expect(open("ramsch", ...TRUMPS, "push")).toEqual([...TRUMPS, "push"]);
    expect(open("ramsch", "play 7C", "play 8C weis", "knock")).toEqual(["knock"]);
    expect(open("ramsch", "play 7C")).toEqual([]);
    expect(choicesIn(null, [])).toEqual([]);
  });

  it("leaves out actions for which the game has a panel", () => {
    expect(open("differenzler", "bid 0", "bid 1")).toEqual([]);
    expect(open("jass", "stay", "drop", "blind")).toEqual([]);
    expect(open("i-doubt-it", "doubt", "pass")).toEqual([]);
    expect(open("jass", "play 7C", "rob")).toEqual([]);
  });

  it("offers actions of the same name in games without such a panel", () => {
    expect(open("ramsch", "bid 60", "pass")).toEqual(["bid 60", "pass"]);
    expect(open("ramsch", "yes", "no")).toEqual(["yes", "no"]);
    expect(open("schieber", "trump H", "push")).toEqual([]);
    expect(open("ramsch", "trump H", "push")).toEqual(["trump H", "push"]);
  });

  it("groups suits and common beginnings, and puts a push last", () => {
    const jokers = ["joker 7 trump C", "joker 7 trump D", "joker 7 tops", "joker 8 tops"];
    const found = groupChoices("ramsch", [...TRUMPS, "tops", "slalom tops", ...jokers, "push"]);
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

  it("returns the suit of a trump action, else null", () => {
    expect(suitOfAction("ramsch", "trump H")).toBe("H");
    expect(suitOfAction("ramsch", "tops")).toBeNull();
    expect(suitOfAction("ramsch", "S")).toBeNull();
  });
});
