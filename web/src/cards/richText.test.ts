import { describe, expect, it } from "vitest";
import de from "../../../src/jasstisch/tutorials/texts/de.json";
import en from "../../../src/jasstisch/tutorials/texts/en.json";
import fr from "../../../src/jasstisch/tutorials/texts/fr.json";
import it_ from "../../../src/jasstisch/tutorials/texts/it.json";
import { settings } from "../settings/settings.svelte";
import { parseBidAction, parseLayAction } from "../table/suggestedAction";
import { fillTemplate, actionParts } from "./richText";
import { tutorialTexts } from "../features/tutorial/tutorialAndAnalysisTexts.svelte.ts";

describe("fillTemplate and tutorialTexts", () => {
  it("splits a template into text and typed parts", () => {
    const values = { card: "8D", cards: "7C 8C", suit: "D", ranks: "J", seat: 2, points: 14 };
    expect(fillTemplate("{seat}: {card}", values)).toEqual([
      { kind: "seat", seat: 2 },
      { kind: "text", text: ": " },
      { kind: "card", card: "8D" },
    ]);
    expect(fillTemplate("{cards}", values)).toEqual([
      { kind: "card", card: "7C" },
      { kind: "card", card: "8C" },
    ]);
    expect(fillTemplate("{suit}{ranks}{points}", values)).toEqual([
      { kind: "suit", suit: "D" },
      { kind: "ranks", rank: "J" },
      { kind: "number", text: "14" },
    ]);
  });

  it("accepts literal cards and ranks, which need no value", () => {
    expect(fillTemplate("{6D} {J}", {})).toEqual([
      { kind: "card", card: "6D" },
      { kind: "text", text: " " },
      { kind: "rank", rank: "J" },
    ]);
  });

  it("writes decimals in the locale's format and keeps trailing zeros", () => {
    for (const [locale, text] of [
      ["de", "0,50"],
      ["fr", "0,50"],
      ["it", "0,50"],
      ["en", "0.50"],
    ] as const) {
      settings.locale = locale;
      expect(fillTemplate("{gain}", { gain: "0.50" })).toEqual([{ kind: "number", text }]);
    }
  });

  it("throws when a value is missing", () => {
    expect(() => fillTemplate("{points}", {})).toThrow("no value for {points}");
  });

  it("loads the texts of the chosen language", async () => {
    for (const [locale, text] of [
      ["de", de.molotov.aim],
      ["fr", fr.molotov.aim],
      ["it", it_.molotov.aim],
      ["en", en.molotov.aim],
    ] as const) {
      settings.locale = locale;
      tutorialTexts.text("molotov.aim");
      await expect.poll(() => tutorialTexts.text("molotov.aim")).toBe(text);
    }
    expect(tutorialTexts.text("molotov.unknown")).toBeNull();
  });
});

describe("actionParts, parseBidAction and parseLayAction", () => {
  it("turns an action into card, number and rank parts", () => {
    expect(actionParts("play JC")).toEqual([{ kind: "card", card: "JC" }]);
    expect(actionParts("play 9C weis")).toEqual([{ kind: "card", card: "9C" }, { kind: "weis" }]);
    expect(actionParts("bid 49")).toEqual([{ kind: "number", text: "49" }]);
    expect(actionParts("lay 2D 2H as 2")).toEqual([
      { kind: "card", card: "2D" },
      { kind: "card", card: "2H" },
      { kind: "text", text: " → " },
      { kind: "ranks", rank: "2" },
    ]);
  });

  it("returns null for an action that has a button of its own", () => {
    for (const action of ["stay", "rob", "doubt", "pass"]) expect(actionParts(action)).toBeNull();
  });

  it("parses bids and lays, and returns null for other actions", () => {
    expect(parseBidAction("bid 49")).toBe(49);
    expect(parseBidAction("play JC")).toBeNull();
    expect(parseLayAction("lay 3C 7D KD as J")).toEqual({ cards: ["3C", "7D", "KD"], rank: "J" });
    for (const action of [null, "doubt", "play JC"]) expect(parseLayAction(action)).toBeNull();
  });
});
