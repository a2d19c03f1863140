// Checks each game's reasons for a score with the test vectors of the rule book.
import { beforeEach, describe, expect, it } from "vitest";
import type {
  DifferenzlerView,
  IDoubtItRound,
  HandjassView,
  MolotovView,
  MolotowView,
} from "../api/messages";
import { settings } from "../settings/settings.svelte";
import { scoreReason as ofBid } from "./differenzler/scoreReason";
import { scoreReason as ofDeal } from "./i-doubt-it/scoreReason";
import { scoreReason as ofJass } from "./handjass/scoreReason";
import { scoreReason as ofMolotov } from "./molotov/scoreReason";
import { scoreReason as ofMolotow } from "./molotow/scoreReason";

const NAMES = ["Ana", "Beat", "Cla", "Dino"];

beforeEach(() => {
  settings.locale = "en";
});

/** The score reason of each seat in the last of these rounds. */
function told<V>(
  tell: (view: V, index: number, seat: number, names: readonly string[]) => string,
  rounds: readonly object[],
  options: object = { ties: "nothing" },
): string[] {
  const view = { rounds, options } as unknown as V;
  return NAMES.map((_, seat) => tell(view, rounds.length - 1, seat, NAMES));
}

describe("scoreReason in Molotov", () => {
  it("states the place, and ties across a border (MV8, C11)", () => {
    expect(told<MolotovView>(ofMolotov, [{ points: [10, 20, 30, 97], marks: ["|", "|", "-", "0"] }])).toEqual(
      [
        "Fewest points: a stroke.",
        "Place 2 of 4: a stroke.",
        "Place 3 of 4: nothing.",
        "Most points: a sack.",
      ],
    );
    expect(
      told<MolotovView>(ofMolotov, [{ points: [10, 20, 20, 107], marks: ["|", "-", "-", "0"] }])[1],
    ).toBe("As many points as Cla: nothing.");
  });

  it("states that a tally crosses out an open sack, each sack once (MV9)", () => {
    const sack = { points: [99, 1, 2, 3], marks: ["0", "|", "|", "-"] };
    const tally = { points: [1, 99, 2, 3], marks: ["|", "0", "|", "-"] };
    expect(told<MolotovView>(ofMolotov, [sack, tally])[0]).toBe(
      "Fewest points: a stroke, which crosses a sack out.",
    );
    expect(told<MolotovView>(ofMolotov, [sack, tally, tally])[0]).toBe("Fewest points: a stroke.");
  });
});

describe("scoreReason in Molotow", () => {
  const of = (points: number[], marks: string[], draw: unknown[] = []): string[] =>
    told<MolotowView>(ofMolotow, [{ points, marks, draw }]);

  it("states the highest, the lowest and those between (MW6), and ties (MW7)", () => {
    expect(of([90, 9, 34, 24], ["1", "1", "-1", "-1"])).toEqual([
      "Most points: +1.",
      "Fewest points: +1.",
      "Neither most nor fewest points: −1.",
      "Neither most nor fewest points: −1.",
    ]);
    expect(of([60, 60, 7, 30], ["0", "0", "1", "-1"])[0]).toBe("As many points as Beat: 0.");
  });

  it("states 100 points, all points (MW4, MW5) and the draw (MW8)", () => {
    expect(of([120, 20, 10, 7], ["-3", "3", "3", "3"]).slice(0, 2)).toEqual([
      "100 points or more: −3.",
      "Ana has 100 points or more: +3.",
    ]);
    expect(of([0, 157, 0, 0], ["-3", "3", "-3", "-3"]).slice(0, 2)).toEqual([
      "Beat has all 157 points: −3.",
      "All 157 points: +3.",
    ]);
    expect(of([20, 20, 20, 97], ["0", "-1", "0", "1"], [[]])[1]).toBe(
      "Level with Ana and Cla, and drew the highest card: −1.",
    );
  });
});

describe("scoreReason in Differenzler", () => {
  it("states by how much a bid was missed (DF6), and the bonus of an exact bid (DF8)", () => {
    const round = { bids: [40, 40, 40, 0], points: [47, 33, 40, 0], marks: ["7", "7", "0", "-10"] };
    expect(told<DifferenzlerView>(ofBid, [round])).toEqual([
      "7 too many.",
      "7 too few.",
      "Exactly as bid.",
      "Exactly as bid: −10.",
    ]);
  });
});

describe("scoreReason in Handjass", () => {
  const of = (points: number[], marks: string[], playing: number[]): string[] =>
    told<HandjassView>(ofJass, [{ points, marks, playing }]);

  it("states who is below 21, alone above it, among the two best, or tied (JS9)", () => {
    expect(of([60, 60, 20, 17], ["|", "|", "0", "0"], [0, 1, 2, 3])).toEqual([
      "Most points: a stroke.",
      "Most points: a stroke.",
      "Fewer than 21 points: a null.",
      "Fewer than 21 points: a null.",
    ]);
    expect(of([100, 20, 10, 0], ["||", "0", "0", "-"], [0, 1, 2])).toEqual([
      "Nobody else has 21 points: two strokes.",
      "Fewer than 21 points: a null.",
      "Fewer than 21 points: a null.",
      "",
    ]);
    expect(of([60, 40, 40, 0], ["|", "-", "-", "-"], [0, 1, 2])[1]).toBe("As many points as Cla: nothing.");
  });
});

describe("scoreReason in I Doubt It", () => {
  const of = (left: number[]): string[] =>
    NAMES.map((_, seat) => ofDeal({ left } as IDoubtItRound, seat, NAMES));

  it("states who pays whom when a player is out (ID6), and at the limit (ID8)", () => {
    expect(of([0, 3, 5, 1]).slice(0, 2)).toEqual([
      "No cards left: a chip for each card of the others.",
      "Cards left: 3, and as many chips to Ana.",
    ]);
    expect(of([7, 3, 5, 9]).slice(0, 2)).toEqual([
      "Cards more than Beat: 4, and as many chips.",
      "Fewest cards: the difference from everybody else.",
    ]);
    expect(of([3, 3, 5, 9])[2]).toBe("Several have the fewest cards: nobody pays.");
  });
});
