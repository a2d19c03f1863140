import { afterEach, describe, expect, it } from "vitest";
import type { GameTexts } from "../api/messages";
import { actionLabel, actionNote, actionText, contractLabel, matchPattern } from "./actionLabels";
import { gameTexts } from "../i18n/gameTexts.svelte";
import { columnLabel, gameName, hasEffect, optionLabel, optionValueText } from "../i18n/gameLabels";

const bare: GameTexts = {
  name: "Coiffeur",
  about: "",
  phases: {},
  options: { target: { label: "Points to win", help: "", values: { "1000": "a thousand" } } },
  actions: {
    "trump {suit}": { label: "{suit} trumps", note: "" },
    "joker {number} trump {suit}": { label: "Joker {number}: {suit}", note: "Free." },
    push: { label: "Push", note: "Your partner chooses." },
  },
  contracts: { tops: "Obenabe" },
  columns: { goats: "Goats" },
  places: {},
  effects: { target: { rounds: [0] } },
  example: null,
  seats: [],
  ranks: "6789TJQKA",
  sheet: false,
};

const house = gameTexts.known("coiffeur") as GameTexts;

/** Replaces the texts of a game for a test. */
function withGuest(game: "coiffeur"): void {
  gameTexts.set("en", game, bare);
}

afterEach(() => gameTexts.set("en", "coiffeur", house));

describe("matchPattern and action labels", () => {
  it("matches a pattern word by word and checks its placeholders", () => {
    expect(matchPattern("trump {suit}", "trump H")).toEqual({ suit: "H" });
    expect(matchPattern("trump {suit}", "trump X")).toBeNull();
    expect(matchPattern("trump {suit}", "trump H now")).toBeNull();
    expect(matchPattern("joker {number}", "joker 10")).toEqual({ number: "10" });
    expect(matchPattern("joker {number}", "joker ten")).toBeNull();
    expect(matchPattern("give {card}", "give 7C")).toEqual({ card: "7C" });
    expect(matchPattern("push", "push")).toEqual({});
  });

  it("uses the texts of the game, with suits as suit parts", () => {
    withGuest("coiffeur");
    expect(actionLabel("coiffeur", "trump H")).toEqual([
      { kind: "suit", suit: "H" },
      { kind: "text", text: " trumps" },
    ]);
    expect(actionLabel("coiffeur", "joker 7 trump S")).toContainEqual({ kind: "suit", suit: "S" });
    expect(actionNote("coiffeur", "joker 7 trump S")).toEqual([{ kind: "text", text: "Free." }]);
    expect(actionText("coiffeur", "push")).toBe("Push");
  });

  it("uses the action as written if the game has no texts, with suits as suit parts", () => {
    expect(actionLabel("nowhere", "trump H")).toEqual([
      { kind: "text", text: "trump" },
      { kind: "text", text: " " },
      { kind: "suit", suit: "H" },
    ]);
    expect(actionText("nowhere", "push on")).toBe("push on");
    expect(actionNote("nowhere", "push on")).toEqual([]);
  });

  it("labels a contract with the game's own texts", () => {
    withGuest("coiffeur");
    expect(contractLabel("coiffeur", "tops")).toEqual([{ kind: "text", text: "Obenabe" }]);
    expect(contractLabel("coiffeur", "trump C")).toContainEqual({ kind: "suit", suit: "C" });
  });
});

describe("game labels", () => {
  it("derives labels from identifiers if the game has no texts", () => {
    expect(gameName("ramsch")).toBe("ramsch");
    expect(optionLabel("goat_colour", "ramsch")).toBe("Goat colour");
    expect(optionValueText("goat_colour", "black", "ramsch")).toBe("black");
    expect(columnLabel("best_round", "ramsch")).toBe("Best round");
  });

  it("uses the texts of the game", () => {
    withGuest("coiffeur");
    expect(gameName("coiffeur")).toBe("Coiffeur");
    expect(optionValueText("target", 1000, "coiffeur")).toBe("a thousand");
    expect(columnLabel("goats", "coiffeur")).toBe("Goats");
  });

  it("reads from the game's texts which options depend on others", () => {
    withGuest("coiffeur");
    expect(hasEffect("coiffeur", "target", { rounds: 0 })).toBe(true);
    expect(hasEffect("coiffeur", "target", { rounds: 8 })).toBe(false);
    expect(hasEffect("ramsch", "target", { rounds: 8 })).toBe(true);
  });
});
