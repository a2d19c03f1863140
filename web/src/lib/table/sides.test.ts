import { describe, expect, it } from "vitest";
import type { Room } from "../messages";
import { askers, hasPartners, partnersAt, partnersOf, sideOf } from "./sides";

const pairs = { sides: [[0, 2], [1, 3]] } as Room;
const threes = { sides: [[0, 2, 4], [1, 3, 5]] } as Room;
const alone = { sides: [[0], [1], [2]] } as Room;

describe("who plays with whom", () => {
  it("is told by the sides, and nobody has a partner where all play alone", () => {
    expect([hasPartners(pairs), hasPartners(alone)]).toEqual([true, false]);
    expect([0, 1, 2, 3].map((seat) => partnersOf(pairs, seat))).toEqual([[2], [3], [0], [1]]);
    expect([0, 1, 2, 3].map((seat) => sideOf(pairs, seat))).toEqual([0, 1, 0, 1]);
    expect(partnersOf(threes, 2)).toEqual([0, 4]);
    expect(partnersOf(alone, 1)).toEqual([]);
  });

  it("changes with the seat one goes to", () => {
    expect(partnersAt(pairs, 1, 0)).toEqual([3]);
    expect(partnersAt(pairs, 3, null)).toEqual([1]);
  });

  it("stays when two partners swap, of whom the other then sits where one sat", () => {
    expect(partnersAt(pairs, 2, 0)).toEqual([2]);
    expect(partnersAt(threes, 2, 0)).toEqual([2, 4]);
  });
});

describe("who asks to swap", () => {
  it("is everybody whose offer is for the seat", () => {
    const seats = [{ asks: 1 }, { asks: null }, { asks: 1 }, { asks: 0 }] as Room["seats"];
    expect(askers({ ...pairs, seats }, 1)).toEqual([0, 2]);
    expect(askers({ ...pairs, seats }, 0)).toEqual([3]);
    expect(askers({ ...pairs, seats }, 2)).toEqual([]);
  });
});
