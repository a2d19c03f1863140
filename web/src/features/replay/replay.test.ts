import { describe, expect, it } from "vitest";
import type { AnalysedDecision, MatchAnalysis, Replay, ReplayStep } from "../../api/messages";
import {
  decisionAt,
  worstDecisions,
  numberText,
  stepForKey,
  replayMoments,
  replayRounds,
  initialStep,
} from "./replay";

const SEAT = {
  kind: "person",
  name: "Anna",
  bot: null,
  left: false,
  away: true,
  ready: true,
  asks: null,
  returning: false,
  patient: true,
  lapses: 1,
  face: 0,
};

function step(round: number, more: Partial<ReplayStep>): ReplayStep {
  const event = { kind: "acted", seat: 0, action: "play 6C", by: null, pack: null, other: null, words: null };
  return { round, event, set: {}, last: {}, append: {}, hands: {}, ...more } as ReplayStep;
}

const REPLAY = {
  match: 1,
  seat: 0,
  own: 0,
  room: {
    table: "t",
    game: "molotow",
    seats: [SEAT, SEAT],
    phase: "over",
    thinking_time: 60,
    host: 0,
    requests: [],
  },
  view: { trick: [], tricks: [], rounds: [], hand: [], points: [0, 0], trump: null, over: false },
  steps: [
    step(1, {
      event: { kind: "pack", seat: null, action: null, by: null, pack: "deal", other: null, words: null },
      set: { hand: ["6C"] },
      hands: { "0": ["6C"], "1": ["7C"] },
    }),
    step(1, { set: { hand: [] }, append: { trick: [[0, "6C"]] }, hands: { "0": [] } }),
    step(2, { append: { trick: [[1, "7C"]] }, hands: { "1": [] } }),
  ],
} as unknown as Replay;

describe("replayMoments and replayRounds", () => {
  const moments = replayMoments(REPLAY);

  it("has a moment before the first step and after each, with the view and all hands", () => {
    expect(moments.map(({ state }) => state.view?.hand)).toEqual([[], ["6C"], [], []]);
    expect(moments.map(({ state }) => state.view?.trick.length)).toEqual([0, 0, 1, 2]);
    expect(moments.map(({ hands }) => hands)).toEqual([
      [[], []],
      [["6C"], ["7C"]],
      [[], ["7C"]],
      [[], []],
    ]);
  });

  it("lists what happened at each moment", () => {
    expect(moments[0]?.happened).toBeNull();
    expect(moments[2]?.events[0]).toEqual({ kind: "played", seat: 0, card: "6C" });
  });

  it("leaves out clocks, connections and absences", () => {
    const room = moments[0]?.state.room;
    expect(room?.phase).toBe("playing");
    expect(room?.thinking_time).toBeNull();
    expect(room?.seats[0]).toMatchObject({ away: false, ready: false, patient: false });
  });

  it("groups the moments by round", () => {
    expect(replayRounds(moments)).toEqual([
      { round: 1, from: 0 },
      { round: 2, from: 3 },
    ]);
  });
});

describe("initialStep and stepForKey", () => {
  it("reads a step or round within the match from the address, else starts at 0", () => {
    expect(initialStep("?step=17", 40)).toBe(17);
    expect(initialStep("?step=99", 40)).toBe(40);
    const parts = [1, 2].map((round) => ({ round, from: 20 * (round - 1) }));
    expect(initialStep("?round=2", 40, parts)).toBe(20);
    for (const nonsense of ["?round=3", "?round=x"]) expect(initialStep(nonsense, 40, parts)).toBe(0);
    for (const nonsense of ["", "?step=", "?step=-1", "?step=1e3", "?step=x"]) {
      expect(initialStep(nonsense, 40)).toBe(0);
    }
  });

  it("moves by keys and never leaves the match", () => {
    expect(["ArrowLeft", "ArrowRight", "Home", "End", "a"].map((key) => stepForKey(key, 3, 9))).toEqual([
      2,
      4,
      0,
      9,
      null,
    ]);
    expect(stepForKey("ArrowLeft", 0, 9)).toBe(0);
    expect(stepForKey("ArrowRight", 9, 9)).toBe(9);
  });
});

describe("decisionAt, worstDecisions and numberText", () => {
  const decisions = [{ step: 4 }, { step: 7 }, { step: 9 }] as AnalysedDecision[];
  const analysis = { decisions, dearest: [2, 0] } as MatchAnalysis;

  it("returns the decision taken at a step, else null", () => {
    expect(decisionAt(analysis, 7)).toBe(decisions[1]);
    expect(decisionAt(analysis, 5)).toBeNull();
    expect(decisionAt(null, 7)).toBeNull();
  });

  it("lists the costliest decisions in the order given", () => {
    expect(worstDecisions(analysis).map((one) => one.step)).toEqual([9, 4]);
  });

  it("formats figures by locale", () => {
    expect(numberText(-1.25, 1, "de")).toBe("−1,3");
    expect(numberText(11, 0, "en")).toBe("11");
  });
});
