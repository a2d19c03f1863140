import { describe, expect, it } from "vitest";
import { settings } from "../settings/settings.svelte";
import { handRows, parseCard, playedCard, RANKS, sortHand, SUITS } from "./cards";
import { cardIndex, cardName } from "./cardNames";

describe("cards and hands", () => {
  it("parseCard returns rank and suit, and throws for an invalid card", () => {
    expect(parseCard("TH")).toEqual({ rank: "T", suit: "H" });
    for (const text of ["", "H", "1H", "10H", "THX"]) expect(() => parseCard(text)).toThrow("not a card");
  });

  it("sortHand sorts by suit, aces first", () => {
    expect(sortHand(["6C", "AH", "AC", "JS", "TD"])).toEqual(["AC", "6C", "TD", "JS", "AH"]);
  });

  it("handRows uses one row if the cards fit, else two with a stable lower row", () => {
    const nine = RANKS.slice(4).map((rank) => `${rank}C`);
    const rows = (held: number, perRow: number): number[] =>
      handRows(nine.slice(0, held), perRow, nine.length).map((row) => row.length);
    expect([9, 8, 5, 1, 0].map((held) => rows(held, 9))).toEqual([[9], [8], [5], [1], []]);
    expect([9, 8, 6, 5, 1, 0].map((held) => rows(held, 7))).toEqual([[4, 5], [3, 5], [1, 5], [5], [1], []]);
    expect(handRows(nine, 7, 9).flat()).toEqual(nine);
  });

  it("playedCard returns the card of a play action and null for others", () => {
    expect(playedCard("play JC")).toBe("JC");
    expect(playedCard("play JC weis")).toBe("JC");
    expect(playedCard("bid 42")).toBeNull();
  });
});

describe("cardName and cardIndex", () => {
  it("uses the terms of each language and deck", () => {
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

  it("gives each of the 52 cards its own name, and each rank its own index", () => {
    for (const deck of ["swiss", "french"] as const) {
      const names = SUITS.flatMap((suit) => RANKS.map((rank) => cardName(rank + suit, deck)));
      expect(new Set(names).size).toBe(52);
      expect(new Set(RANKS.map((rank) => cardIndex(rank, deck))).size).toBe(13);
    }
  });
});
