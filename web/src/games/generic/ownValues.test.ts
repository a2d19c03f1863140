import { describe, expect, it } from "vitest";
import { gameTexts } from "../../i18n/gameTexts.svelte";
import type { GameTexts, View } from "../../api/messages";
import { ownValues } from "./ownValues";

const view = {
  ...{ game: "steigern", options: {}, players: [], seat: 0, phase: "play", round: 1, dealer: 2, draw: null },
  ...{
    to_act: [0],
    needs_pack: false,
    hand: ["JC"],
    hand_sizes: [1],
    trick: [],
    last_trick: null,
    tricks: [],
  },
  ...{ trump: "C", points: [0], rounds: [], standing: [], over: false, winners: [] },
} as unknown as View;

const keys = (more: Record<string, unknown>): string[] =>
  ownValues({ ...view, ...more }).map(({ key }) => key);

describe("ownValues", () => {
  it("leaves out the keys of every view, lists and what is not there", () => {
    expect(keys({})).toEqual([]);
    expect(keys({ claims: [1, 2], best: { seat: 1 }, bidder: null, open: false, note: "" })).toEqual([]);
  });

  it("shows words as actions with their suits, numbers and what holds", () => {
    expect(
      ownValues({ ...view, bid: "bid 80 trump H", stake: -2, doubled: true } as unknown as View),
    ).toEqual([
      {
        key: "bid",
        parts: [
          ...["bid", " ", "80", " ", "trump", " "].map((text) => ({ kind: "text", text })),
          { kind: "suit", suit: "H" },
        ],
      },
      { key: "stake", parts: [{ kind: "number", text: "−2" }] },
      { key: "doubled", parts: [{ kind: "number", text: "✓" }] },
    ]);
  });

  it("shows seats that the game declares by their player", () => {
    const declared = { actions: {}, columns: {}, seats: ["bidder"] } as unknown as GameTexts;
    gameTexts.set("en", "steigern", declared);
    expect(ownValues({ ...view, bidder: 0 } as unknown as View)).toEqual([
      { key: "bidder", parts: [{ kind: "seat", seat: 0 }] },
    ]);
  });
});
