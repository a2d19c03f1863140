import { beforeEach, describe, expect, it } from "vitest";
import type { Room, Standing, View } from "../messages";
import type { TableState } from "../protocol/fold";
import { settings } from "../settings.svelte";
import { campOf, isPartner, partners, sideName, sides } from "./sides";
import { winnersSentence } from "./tell";

function table(seat: number | null, standing?: Standing[]): TableState {
  const seats = ["Anna", "Reto", "Lea", "Urs"].map((name) => ({ kind: "person", name }));
  return {
    seat,
    room: { seats } as Room,
    view: { standing: standing ?? [0, 1, 0, 1].map((side) => ({ side, points: 0 })) } as View,
  } as TableState;
}

beforeEach(() => {
  settings.locale = "en";
});

describe("sides", () => {
  it("begin with the reader's own", () => {
    expect(sides(table(1))).toEqual([
      [1, 3],
      [0, 2],
    ]);
    expect(sides(table(null))).toEqual([
      [0, 2],
      [1, 3],
    ]);
  });

  it("tell the partner from the others", () => {
    expect([0, 1, 2, 3].map((seat) => campOf(table(3), seat))).toEqual([
      ...["theirs", "ours", "theirs", "ours"],
    ]);
    expect([0, 1, 2, 3].filter((seat) => isPartner(table(3), seat))).toEqual([1]);
    expect(partners(table(3), 0)).toEqual([0, 2]);
  });

  it("are called by their players for who watches", () => {
    expect(sideName(table(0), [0, 2])).toBe("Us");
    expect(sideName(table(0), [1, 3])).toBe("Them");
    expect(sideName(table(null), [1, 3])).toBe("Reto and Urs");
    expect([0, 1].filter((seat) => isPartner(table(null), seat))).toEqual([]);
  });

  it("are none where everybody plays alone", () => {
    const alone = table(0, [{ tallies: 0 }, { tallies: 0 }]);
    expect(sides(alone)).toEqual([]);
    expect(campOf(alone, 0)).toBeNull();
    expect(partners(alone, 1)).toEqual([1]);
  });

  it("win together", () => {
    expect(winnersSentence([0, 2], table(0))).toBe("You and Lea win!");
    expect(winnersSentence([0, 2], table(1))).toBe("Anna and Lea win");
    expect(winnersSentence([1, 3], table(null))).toBe("Reto and Urs win");
    expect(winnersSentence([0, 1, 2, 3], table(0))).toBe("A draw: all four win");
  });
});
