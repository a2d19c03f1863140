import { describe, expect, it } from "vitest";
import { finalPlaces } from "./finalPlaces";

const alone = [[0], [1], [2], [3]];
const places = (found: ReturnType<typeof finalPlaces>): [number, readonly number[], number][] =>
  found.map(({ place, seats, figure }) => [place, seats, figure]);

describe("finalPlaces", () => {
  it("ranks by the figure of the game, the lowest or the highest first", () => {
    const standing = [40, 12, 77, 12].map((difference) => ({ difference }));
    const low = finalPlaces(standing, alone, [1, 3], { key: "difference", best: "low" });
    expect(places(low)).toEqual([
      [1, [1], 12],
      [1, [3], 12],
      [3, [0], 40],
      [4, [2], 77],
    ]);
    const high = finalPlaces(standing, alone, [2], { key: "difference", best: "high" });
    expect(high.map(({ seats }) => seats[0])).toEqual([2, 0, 1, 3]);
  });

  it("puts the winners first where the last round decides between equal ones", () => {
    const standing = [5, 5, 2, 1].map((tallies) => ({ tallies }));
    const found = finalPlaces(standing, alone, [1], { key: "tallies", best: "high" });
    expect(places(found)).toEqual([
      [1, [1], 5],
      [2, [0], 5],
      [3, [2], 2],
      [4, [3], 1],
    ]);
  });

  it("ranks sides by what their seats have in common", () => {
    const standing = [873, 1023, 873, 1023].map((points) => ({ points }));
    const found = finalPlaces(
      standing,
      [
        [0, 2],
        [1, 3],
      ],
      [1, 3],
      { key: "points", best: "high" },
    );
    expect(places(found)).toEqual([
      [1, [1, 3], 1023],
      [2, [0, 2], 873],
    ]);
  });

  it("has no places where the figure is unknown", () => {
    expect(finalPlaces([{ strokes: "||" }], [[0]], [0], { key: "tallies", best: "high" })).toEqual([]);
  });
});
