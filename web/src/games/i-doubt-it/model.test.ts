import { describe, expect, it } from "vitest";
import type { IDoubtItView, LayTurn, View } from "../../api/messages";
import type { TableState } from "../../table/tableState";
import { deckForGame } from "../../cards/deckDesign";
import { displayTime } from "../../features/play/pacing";
import { splitIntoChips } from "./chips";
import {
  canSkipAnswers,
  cardsToLay,
  commonRank,
  doubtEvents,
  hasPassed,
  justDrawn,
  layAction,
  splitReveal,
  toggleCard,
  type DoubtEvent,
} from "./model";

const turn = (changes: Partial<LayTurn>): LayTurn => ({
  seat: 1,
  drew: 0,
  drawn: null,
  rank: null,
  count: 0,
  laid: null,
  passed: [],
  doubter: null,
  truth: null,
  taker: null,
  taken: 0,
  ...changes,
});

const claim = (changes: Partial<LayTurn> = {}): LayTurn => turn({ rank: "J", count: 3, ...changes });

function view(turns: LayTurn[], changes: Partial<IDoubtItView> = {}): View {
  return {
    game: "i-doubt-it",
    phase: "answer",
    hand: [],
    hand_sizes: [10, 10, 10, 10],
    to_act: [2],
    options: { last: "three" },
    turns,
    ...changes,
  } as View;
}

function state(of: View | null, version = 7): TableState {
  return { version, view: of, turn: null, seat: 0 } as unknown as TableState;
}

const LIE = claim({
  passed: [2],
  doubter: 3,
  laid: ["JC", "4S", "7D"],
  truth: false,
  taker: 1,
  taken: 9,
});

describe("layAction, toggleCard, cardsToLay and commonRank", () => {
  it("writes the cards in the order in which they were chosen", () => {
    expect(layAction(["7D", "3C", "KD"], "J")).toBe("lay 7D 3C KD as J");
    expect(layAction(["TH"], "T")).toBe("lay TH as T");
  });

  it("selects three cards at most, and deselects a card at the second tap", () => {
    let chosen: string[] | null = [];
    for (const card of ["3C", "7D", "KD"]) chosen = toggleCard(chosen ?? [], card, 3);
    expect(chosen).toEqual(["3C", "7D", "KD"]);
    expect(toggleCard(chosen ?? [], "KH", 3)).toBeNull();
    expect(toggleCard(chosen ?? [], "7D", 3)).toEqual(["3C", "KD"]);
  });

  it("requires three cards, or the last one or two if the option allows it (ID5)", () => {
    expect(cardsToLay(view([], { hand: ["3C", "4C", "5C", "6C"] }))).toBe(3);
    expect(cardsToLay(view([], { hand: ["3C", "4C"] }))).toBe(3);
    const any = { options: { last: "any" } } as Partial<IDoubtItView>;
    expect(cardsToLay(view([], { ...any, hand: ["3C", "4C"] }))).toBe(2);
    expect(cardsToLay(view([], { ...any, hand: ["3C", "4C", "5C", "6C"] }))).toBe(3);
  });

  it("returns a common rank only if all cards share it", () => {
    expect(commonRank(["JC", "JD", "JS"])).toBe("J");
    expect(commonRank(["JC", "JD", "TS"])).toBeNull();
    expect(commonRank([])).toBeNull();
  });
});

describe("doubtEvents, hasPassed and justDrawn", () => {
  const kinds = (before: LayTurn[], after: LayTurn[]): string[] =>
    doubtEvents(view(before), view(after)).map((one) => one.kind);

  it("reports a claim, and who passes", () => {
    expect(doubtEvents(view([]), view([claim()]))).toEqual([
      { kind: "claimed", seat: 1, rank: "J", count: 3 },
    ]);
    expect(doubtEvents(view([claim()]), view([claim({ passed: [2] })]))).toEqual([
      { kind: "passed", seat: 2 },
    ]);
    expect(hasPassed(view([claim({ passed: [2] })]), 2)).toBe(true);
    expect(hasPassed(view([claim({ passed: [2] })]), 3)).toBe(false);
  });

  it("reports that nobody doubts once all others have passed", () => {
    const before = claim({ passed: [2, 3] });
    expect(kinds([before], [claim({ passed: [2, 3, 0] })])).toEqual(["passed", "accepted"]);
  });

  it("reports a doubt with the cards turned up, then who takes how many", () => {
    const events = doubtEvents(view([claim({ passed: [2] })]), view([LIE]));
    expect(events).toEqual([
      { kind: "revealed", turn: LIE },
      { kind: "taken", seat: 1, count: 9 },
    ]);
  });

  it("reports a draw from the middle before the claim, and not again with it (ID5)", () => {
    const settled = claim({ passed: [2, 3, 0] });
    const drew = turn({ seat: 2, drew: 2 });
    expect(doubtEvents(view([settled]), view([settled, drew]))).toEqual([
      { kind: "drew", seat: 2, count: 2 },
    ]);
    const laid = claim({ seat: 2, drew: 2 });
    expect(kinds([settled, drew], [settled, laid])).toEqual(["claimed"]);
  });

  it("reports each missed turn (ID5)", () => {
    const after = [LIE, turn({ seat: 2 }), turn({ seat: 3 })];
    expect(kinds([claim({ passed: [2] })], after)).toEqual(["revealed", "taken", "missed", "missed"]);
    expect(kinds(after, after)).toEqual([]);
  });

  it("reports nothing of the last deal when a new one begins", () => {
    expect(kinds([LIE, claim({ passed: [2, 3, 0] })], [])).toEqual([]);
    expect(kinds([LIE, LIE], [claim()])).toEqual(["claimed"]);
  });

  it("returns the cards just drawn until the next claim", () => {
    const drew = turn({ seat: 0, drew: 2, drawn: ["3C", "9D"] });
    expect(justDrawn(view([drew], { phase: "lay" }))).toEqual(["3C", "9D"]);
    expect(justDrawn(view([claim({ drew: 2, drawn: ["3C", "9D"] })]))).toEqual([]);
  });
});

describe("splitReveal", () => {
  const before = state(view([claim({ passed: [2] })], { hand: ["3C"] }), 7);
  const after = state(view([LIE], { hand: ["3C", "JC"], phase: "lay" }), 8);
  const events = doubtEvents(before.view, after.view);

  it("shows the reveal before the new hands and the new turn", () => {
    const [first, second] = splitReveal<DoubtEvent>(before, after, events);
    expect(first?.events.map((one) => one.kind)).toEqual(["revealed"]);
    expect(first?.state.version).toBe(8);
    expect(first?.state.view?.hand).toEqual(["3C"]);
    expect(first?.state.view?.to_act).toEqual([]);
    expect(first?.state.turn).toBeNull();
    expect(second?.events.map((one) => one.kind)).toEqual(["taken"]);
    expect(second?.state).toBe(after);
  });

  it("shows the reveal before the end of the round", () => {
    const told = [...events, { kind: "round" }];
    const [first, second] = splitReveal<{ kind: string }>(before, after, told);
    expect(first?.events.map((one) => one.kind)).toEqual(["revealed"]);
    expect(second?.events.map((one) => one.kind)).toEqual(["taken", "round"]);
  });

  it("leaves all other events unsplit", () => {
    const passed: DoubtEvent[] = [{ kind: "passed", seat: 2 }];
    expect(splitReveal(before, after, passed)).toEqual([{ state: after, events: passed }]);
  });
});

describe("canSkipAnswers", () => {
  const seats = [{ kind: "person" }, { kind: "computer" }, { kind: "person" }];
  const open = { seat: 0, rank: "J", count: 3 };
  const at = (next: number, changes: object = {}): TableState =>
    ({
      ...state(view([claim({ seat: 0 })], { to_act: [next], claim: open } as Partial<IDoubtItView>)),
      room: { phase: "playing", seats },
      hint: null,
      ...changes,
    }) as unknown as TableState;

  it("is true for the answer of a computer, not of a person or of the reader", () => {
    expect([0, 1, 2].map((next) => canSkipAnswers(at(next), false))).toEqual([false, true, false]);
  });

  it("is true while a reveal is shown", () => {
    expect(canSkipAnswers(at(2), true)).toBe(true);
  });

  it("is false while the coach speaks or no claim is open", () => {
    expect(canSkipAnswers(at(1, { hint: {} }), false)).toBe(false);
    expect(canSkipAnswers(at(1, { view: view([claim()], { claim: null }) }), false)).toBe(false);
  });
});

describe("pacing and deck of I Doubt It", () => {
  const revealed = { kind: "revealed", turn: LIE } as DoubtEvent;
  const passed: DoubtEvent = { kind: "passed", seat: 2 };

  it("shows a reveal for long, even when the table is ahead", () => {
    const calm = displayTime([revealed], "normal", 0);
    expect(calm).toBeGreaterThan(5 * displayTime([passed], "normal", 0));
    expect(displayTime([revealed], "normal", 10)).toBeGreaterThan(calm / 2);
    expect(displayTime([passed], "normal", 10)).toBeLessThan(displayTime([passed], "normal", 0) / 2);
  });

  it("shows a claim and the answers of three computers within five seconds", () => {
    const shown = (events: DoubtEvent[][]) =>
      events.reduce((sum, one) => sum + displayTime(one, "normal", 0), 0);
    const claimed: DoubtEvent = { kind: "claimed", seat: 1, rank: "J", count: 3 };
    const taken: DoubtEvent = { kind: "taken", seat: 1, count: 9 };
    const after: DoubtEvent[] = [
      { kind: "drew", seat: 2, count: 1 },
      { kind: "missed", seat: 2 },
    ];
    const accepted: DoubtEvent = { kind: "accepted", seat: 1 };
    const ways = [0, 1, 2].map((passes) => [
      [claimed],
      ...Array.from({ length: passes }, () => [passed]),
      [revealed],
      [taken, ...after],
    ]);
    ways.push([[claimed], [passed], [passed], [passed, accepted, ...after]]);
    for (const way of ways) expect(shown(way)).toBeLessThanOrEqual(5000);
  });

  it("uses French cards, because only these have all 52", () => {
    expect(deckForGame("i-doubt-it", "swiss")).toBe("french");
    expect(deckForGame("jass", "swiss")).toBe("swiss");
    expect(deckForGame(undefined, "swiss")).toBe("swiss");
  });
});

describe("splitIntoChips", () => {
  it("uses the fewest chips that make the sum, also for debts", () => {
    expect(splitIntoChips(0)).toEqual([]);
    expect(splitIntoChips(63)).toEqual([25, 25, 5, 5, 1, 1, 1]);
    expect(splitIntoChips(-7)).toEqual([5, 1, 1]);
  });
});
