import { describe, expect, it } from "vitest";
import { settings } from "../settings/settings.svelte";
import { handRows, parseCard, playedCard, RANKS, sortHand, SUITS } from "./cards";
import { cardIndex, cardName } from "./cardNames";

describe("cards", () => {
  it("reads rank and suit, and refuses what is no card", () => {
    expect(parseCard("TH")).toEqual({ rank: "T", suit: "H" });
    for (const text of ["", "H", "1H", "10H", "THX"]) expect(() => parseCard(text)).toThrow("not a card");
  });

  it("sorts a hand by suit, the ace first", () => {
    expect(sortHand(["6C", "AH", "AC", "JS", "TD"])).toEqual(["AC", "6C", "TD", "JS", "AH"]);
  });

  it("shows a hand in one row where it fits, else in two of which the lower one stays as it was", () => {
    const nine = RANKS.slice(4).map((rank) => `${rank}C`);
    const rows = (held: number, perRow: number): number[] =>
      handRows(nine.slice(0, held), perRow, nine.length).map((row) => row.length);
    expect([9, 8, 5, 1, 0].map((held) => rows(held, 9))).toEqual([[9], [8], [5], [1], []]);
    expect([9, 8, 6, 5, 1, 0].map((held) => rows(held, 7))).toEqual([[4, 5], [3, 5], [1, 5], [5], [1], []]);
    expect(handRows(nine, 7, 9).flat()).toEqual(nine);
  });

  it("knows the card of an action", () => {
    expect(playedCard("play JC")).toBe("JC");
    expect(playedCard("play JC weis")).toBe("JC");
    expect(playedCard("bid 42")).toBeNull();
  });
});

describe("names of cards", () => {
  it("are called as in each language and deck", () => {
    const name = (locale: "de" | "fr" | "it" | "en", card: string, deck: "swiss" | "french") => {
      settings.locale = locale;
      return cardName(card, deck);
    };
    expect(name("de", "JC", "swiss")).toBe("Eichel-Under");
    expect(name("de", "TD", "swiss")).toBe("Schellen-Banner");
    expect(name("de", "AS", "french")).toBe("Schaufel-Ass");
    expect(name("fr", "JH", "french")).toBe("valet de cœur");
    expect(name("it", "JH", "french")).toBe("fante di cuori");
    expect(name("en", "QS", "swiss")).toBe("Ober of shields");
  });

  it("differ for all 52 cards, as do the corners within a suit", () => {
    for (const deck of ["swiss", "french"] as const) {
      const names = SUITS.flatMap((suit) => RANKS.map((rank) => cardName(rank + suit, deck)));
      expect(new Set(names).size).toBe(52);
      expect(new Set(RANKS.map((rank) => cardIndex(rank, deck))).size).toBe(13);
    }
  });
});
