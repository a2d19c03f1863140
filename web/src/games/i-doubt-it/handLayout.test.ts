import { describe, expect, it } from "vitest";
import { RANKS, SUITS } from "../../cards/cards";
import { groupByRank, layOutHand } from "./handLayout";

describe("groupByRank and layOutHand", () => {
  const all = RANKS.flatMap((rank) => SUITS.map((suit) => rank + suit));
  const sizes = [
    { card: 100, step: 58 },
    { card: 70, step: 44 },
    { card: 56, step: 41 },
  ];
  const cardsOf = (rows: ReturnType<typeof layOutHand>["rows"]): string[] =>
    rows.flat().flatMap((group) => group.cards);

  it("groups cards by rank, twos first", () => {
    const ranks = groupByRank(["AC", "2D", "TS", "2C"]);
    expect(ranks).toEqual([
      { rank: "2", cards: ["2C", "2D"] },
      { rank: "T", cards: ["TS"] },
      { rank: "A", cards: ["AC"] },
    ]);
  });

  it("keeps all cards in order, in rows that fit, from one card to all 52", () => {
    for (const width of [328, 344, 620, 924]) {
      for (let count = 1; count <= all.length; count += 1) {
        // Every third card of the pack first, so that ranks are of all lengths.
        const order = [...all].sort((a, b) => (all.indexOf(a) % 3) - (all.indexOf(b) % 3));
        const hand = order.slice(0, count);
        const groups = groupByRank(hand);
        const { rows, size, gap } = layOutHand(groups, sizes, width, 200);
        expect(cardsOf(rows)).toEqual(groups.flatMap((group) => group.cards));
        for (const row of rows) {
          const inRow = row.reduce((sum, group) => sum + group.cards.length, 0);
          const wide = size.card + (inRow - 1) * size.step + (row.length - 1) * gap;
          expect(wide).toBeLessThanOrEqual(width);
        }
      }
    }
  });

  it("uses smaller cards if the hand would become too high", () => {
    const size = (count: number) => layOutHand(groupByRank(all.slice(0, count)), sizes, 344, 170).size.card;
    expect(size(4)).toBe(100);
    expect(size(12)).toBeLessThan(100);
    expect(size(52)).toBe(56);
  });

  it("makes rows of nearly the same length", () => {
    const one = RANKS.map((rank) => `${rank}C`);
    const { rows } = layOutHand(groupByRank(one), sizes, 420, 200);
    const lengths = rows.map((row) => row.length);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1);
  });
});
