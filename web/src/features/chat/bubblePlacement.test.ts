import { describe, expect, it } from "vitest";
import {
  overlap,
  placeBubbles,
  type Box,
  type MatLayout,
  type BubbleRequest,
  type BubbleSize,
} from "./bubblePlacement";

const box = (left: number, top: number, width: number, height: number): Box => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});
const BOUNDS = box(6, 6, 348, 430);
/** The plates of the seven other players at a table of eight on a phone. */
const PLATES = [
  ...[box(26, 222, 98, 52), box(6, 147, 98, 52), box(26, 71, 98, 52), box(131, 57, 98, 52)],
  ...[box(236, 71, 98, 52), box(256, 147, 98, 52), box(236, 222, 98, 52)],
];
/** Sizes for a long sentence: in full, cut off, and as large as a plate. */
const LONG: BubbleSize[] = [
  { width: 245, height: 103, lost: 0 },
  { width: 184, height: 140, lost: 0 },
  { width: 245, height: 66, lost: 0.4 },
  { width: 138, height: 48, lost: 0.7 },
  { width: 98, height: 48, lost: 0.8 },
];
const says = (plate: Box, settings: BubbleSize[] = LONG): BubbleRequest => ({
  plate,
  player: plate,
  settings,
});
const mat = (more: Partial<MatLayout> = {}): MatLayout => ({ bounds: BOUNDS, kept: [], cards: [], ...more });

/** The boxes of the bubbles. */
function boxes(said: readonly BubbleRequest[], on: MatLayout, plates = PLATES): Box[] {
  return placeBubbles(said, plates, on).map((standing, index) => {
    if (!standing) throw new Error(`there is no room for ${index}`);
    const { setting, left, top } = standing;
    const size = said[index]?.settings[setting] as BubbleSize;
    const { width, height } = size;
    return box(left, top, width, height);
  });
}

describe("placeBubbles", () => {
  it("keeps simultaneous bubbles apart, inside the mat and off other players' plates", () => {
    const kept = [box(8, 8, 44, 44), box(308, 8, 44, 44), box(12, 285, 336, 150)];
    const found = boxes(
      PLATES.map((plate) => says(plate)),
      mat({ kept }),
    );
    for (const [seat, one] of found.entries()) {
      const others = [...found, ...PLATES].filter((_, place) => place % PLATES.length !== seat);
      expect([...others, ...kept].filter((other) => overlap(one, other) > 0)).toEqual([]);
      expect(overlap(one, BOUNDS)).toBe((one.right - one.left) * (one.bottom - one.top));
    }
  });

  it("shows the full text near the player and off the cards if there is room", () => {
    const [plate] = PLATES as [Box];
    const cards = [box(230, 180, 70, 110)];
    const [standing] = placeBubbles([says(plate)], [plate], mat({ cards }));
    const [one] = boxes([says(plate)], mat({ cards }), [plate]);
    expect(LONG[standing?.setting ?? -1]?.lost).toBe(0);
    expect(standing?.beak).not.toBeNull();
    for (const other of [plate, ...cards]) expect(overlap(one as Box, other)).toBe(0);
  });

  it("does not move a bubble when others are added", () => {
    const [first, ...later] = PLATES.map((plate) => says(plate)) as [BubbleRequest, ...BubbleRequest[]];
    const alone = placeBubbles([first], PLATES, mat());
    expect(placeBubbles([first, ...later], PLATES, mat())[0]).toEqual(alone[0]);
  });

  it("covers the speaker's own plate if nothing else is free, and gives up after that", () => {
    const [plate, ...others] = PLATES as [Box, ...Box[]];
    const kept = [box(6, 6, 348, 216), box(6, 274, 348, 162), box(124, 222, 230, 52), box(6, 222, 20, 52)];
    expect(boxes([says(plate)], mat({ kept }), [plate, ...others])).toEqual([
      { ...plate, bottom: plate.top + 48 },
    ]);
    expect(placeBubbles([says(plate)], [plate], mat({ kept: [...kept, box(90, 230, 50, 50)] }))).toEqual([
      null,
    ]);
  });
});
