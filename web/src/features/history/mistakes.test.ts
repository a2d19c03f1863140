import { describe, expect, it } from "vitest";
import type { MatchMistakes } from "../../api/messages";
import { tickDecimals, gamesPlayed, meanLoss, lossPerDecision, runningMeans, axisTicks } from "./mistakes";

function match(lost: number, decisions: number, game = "schieber"): MatchMistakes {
  return { table: "t", match: 1, game, ended: "2026-05-31T20:15:00+00:00", lost, decisions };
}

describe("lossPerDecision, meanLoss and runningMeans", () => {
  it("divides the loss by the number of judged decisions", () => {
    expect(lossPerDecision(match(30, 60))).toBe(0.5);
    expect(lossPerDecision(match(0, 0))).toBe(0);
  });

  it("gives each decision the same weight in a mean", () => {
    expect(meanLoss([match(30, 60), match(0, 140)])).toBe(0.15);
    expect(meanLoss([])).toBe(0);
  });

  it("has a running mean from the fifth match on", () => {
    const matches = [1, 2, 3, 4, 5, 6].map((lost) => match(lost, 1));
    expect(runningMeans(matches)).toEqual([null, null, null, null, 3, 4]);
  });
});

describe("chart axis and legend", () => {
  it.each([
    [0, [0, 1]],
    [0.9, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [1.2, [0, 0.5, 1, 1.5]],
    [0.034, [0, 0.01, 0.02, 0.03, 0.04]],
    [7, [0, 2, 4, 6, 8]],
  ])("covers a maximum of %s with round ticks", (highest, ticks) => {
    expect(axisTicks(highest)).toEqual(ticks);
  });

  it("writes ticks with the decimals they need", () => {
    expect(tickDecimals([0, 0.2])).toBe(1);
    expect(tickDecimals([0, 0.05])).toBe(2);
    expect(tickDecimals([0, 2])).toBe(0);
  });

  it("lists each game once, in the order of appearance", () => {
    expect(gamesPlayed([match(1, 1, "b"), match(1, 1, "a"), match(1, 1, "b")])).toEqual(["b", "a"]);
  });
});
