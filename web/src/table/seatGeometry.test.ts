import { describe, expect, it } from "vitest";
import { seatDirection, seatPosition, seatOffset } from "./seatGeometry";

describe("seatDirection, seatPosition and seatOffset", () => {
  it("puts the reader at the bottom", () => {
    for (const players of [3, 4, 5, 6]) {
      expect(seatDirection(0, players, "anticlockwise")).toEqual({ x: 0, y: 1 });
    }
  });

  it("puts the next player to the right when play runs anticlockwise", () => {
    expect(seatDirection(1, 4, "anticlockwise")).toEqual({ x: 1, y: 0 });
    expect(seatDirection(2, 4, "anticlockwise")).toEqual({ x: 0, y: -1 });
    expect(seatDirection(3, 4, "anticlockwise")).toEqual({ x: -1, y: 0 });
  });

  it("mirrors the picture when play runs clockwise", () => {
    for (const after of [0, 1, 2, 3, 4]) {
      const { x, y } = seatDirection(after, 5, "anticlockwise");
      const other = seatDirection(after, 5, "clockwise");
      expect(other.x).toBeCloseTo(-x);
      expect(other.y).toBeCloseTo(y);
    }
  });

  it("counts seats in the order of play from any seat", () => {
    expect([0, 1, 2, 3].map((seat) => seatOffset(seat, 2, 4))).toEqual([2, 3, 0, 1]);
  });

  it("keeps every plate within the mat and apart from the others", () => {
    for (const players of [3, 4, 5, 6]) {
      const places = Array.from({ length: players }, (_, i) => seatPosition(i, players, "anticlockwise"));
      for (const { x, y } of places) {
        expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThanOrEqual(1);
      }
      for (const [i, one] of places.entries()) {
        for (const other of places.slice(i + 1)) {
          expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(0.6);
        }
      }
    }
  });
});
