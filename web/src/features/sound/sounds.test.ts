import { describe, expect, it } from "vitest";
import type { GameEvent } from "../play/gameEvents";
import { cueOf } from "./cues";
import { CUE_NOTES } from "./cueNotes";

const card: GameEvent = { kind: "played", seat: 1, card: "JC" };
const trick: GameEvent = { kind: "trick", cards: [], winner: 1, points: 5 };

describe("cueOf", () => {
  it("returns the cue of the most important event", () => {
    expect(cueOf([card], 0)).toBe("card");
    expect(cueOf([card, trick], 0)).toBe("trick");
    expect(cueOf([card, trick, { kind: "stoeck", seat: 1, points: 20 }], 0)).toBe("stoeck");
  });

  it("returns null for events without a sound", () => {
    expect(cueOf([{ kind: "sat", seat: 1 }], 0)).toBeNull();
    expect(cueOf([], null)).toBeNull();
  });

  it("plays the winning cue for winners and spectators, and the plain end for losers", () => {
    const over: GameEvent = { kind: "over", winners: [1, 3] };
    expect(cueOf([card, trick, over], 1)).toBe("win");
    expect(cueOf([card, trick, over], null)).toBe("win");
    expect(cueOf([card, over], 0)).toBe("end");
  });
});

describe("CUE_NOTES", () => {
  it.each(Object.entries(CUE_NOTES))("%s is short and within the limits of gain and pitch", (_, strokes) => {
    expect(strokes.length).toBeGreaterThan(0);
    for (const { at, length, gain, from, to } of strokes) {
      expect(at + length).toBeLessThanOrEqual(1.5);
      expect(gain).toBeGreaterThan(0);
      expect(gain).toBeLessThanOrEqual(1);
      // An exponential glide needs positive pitches, and most loudspeakers play none below 30 Hz.
      for (const pitch of [from, to ?? from]) expect(pitch).toBeGreaterThanOrEqual(30);
    }
  });
});
