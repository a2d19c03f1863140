import { describe, expect, it } from "vitest";
import type { GameEvent } from "../play/events";
import { cueOf } from "./cues";
import { CUE_SCORES } from "./soundScores";

const card: GameEvent = { kind: "played", seat: 1, card: "JC" };
const trick: GameEvent = { kind: "trick", cards: [], winner: 1, points: 5 };

describe("what is heard of an event", () => {
  it("is one cue, the most telling", () => {
    expect(cueOf([card], 0)).toBe("card");
    expect(cueOf([card, trick], 0)).toBe("trick");
    expect(cueOf([card, trick, { kind: "stoeck", seat: 1, points: 20 }], 0)).toBe("stoeck");
  });

  it("is nothing where nothing is to be heard", () => {
    expect(cueOf([{ kind: "sat", seat: 1 }], 0)).toBeNull();
    expect(cueOf([], null)).toBeNull();
  });

  it("celebrates with who has won and those who watch, and is quiet with who has lost", () => {
    const over: GameEvent = { kind: "over", winners: [1, 3] };
    expect(cueOf([card, trick, over], 1)).toBe("win");
    expect(cueOf([card, trick, over], null)).toBe("win");
    expect(cueOf([card, over], 0)).toBe("end");
  });
});

describe("the sounds", () => {
  it.each(Object.entries(CUE_SCORES))("%s is short, and no louder than a speaker goes", (_, strokes) => {
    expect(strokes.length).toBeGreaterThan(0);
    for (const { at, length, gain, from, to } of strokes) {
      expect(at + length).toBeLessThanOrEqual(1.5);
      expect(gain).toBeGreaterThan(0);
      expect(gain).toBeLessThanOrEqual(1);
      // What an exponential glide can begin and end at, and most loudspeakers can play.
      for (const pitch of [from, to ?? from]) expect(pitch).toBeGreaterThanOrEqual(30);
    }
  });
});
