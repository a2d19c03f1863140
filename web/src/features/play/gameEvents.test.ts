import { describe, expect, it } from "vitest";
import type {
  DifferenzlerView,
  Event,
  MolotovRound,
  MolotovView,
  RoomInfo,
  Trick,
  View,
} from "../../api/messages";
import type { TableState } from "../../table/tableState";
import { eventsOf, recentDraw, type GameEvent } from "./gameEvents";
import { displayTime } from "./pacing";

function state(
  view: Partial<MolotovView> | Partial<DifferenzlerView>,
  phase: RoomInfo["phase"] = "playing",
): TableState {
  return {
    table: "a-table-of-the-tests",
    version: 1,
    seat: 0,
    room: { phase } as RoomInfo,
    view: {
      game: "molotov",
      round: 1,
      dealer: 2,
      draw: null,
      trick: [],
      tricks: [],
      trump: null,
      points: [0, 0, 0],
      rounds: [],
      standing: [],
      over: false,
      winners: [],
      molotovs: [],
      ...view,
    } as View,
    turn: null,
    hint: null,
    undoable: false,
    connected: [],
    preparing: [],
    missing: [],
    kept: [],
    former: null,
    spectators: 0,
    host: false,
    request: null,
    said: [],
  };
}

function event(happened: Partial<Event["event"]>): Event {
  return {
    event: {
      kind: "acted",
      seat: 2,
      action: null,
      by: "person",
      pack: null,
      other: null,
      words: null,
      ...happened,
    },
  } as Event;
}

const trick: Trick = { leader: 0, cards: ["7C", "8C", "6H"], winner: 1 };
const finished = (points: number[]): MolotovRound => ({
  dealer: 2,
  trump: "H",
  tricks: [trick],
  points,
  marks: [],
  molotovs: [],
});
const open: [number, string][] = [
  [0, "7C"],
  [1, "8C"],
];

describe("eventsOf", () => {
  it("reports a played card", () => {
    const after = state({ trick: open });
    expect(eventsOf(state({ trick: [[0, "7C"]] }), event({ seat: 1, action: "play 8C" }), after)).toEqual([
      { kind: "played", seat: 1, card: "8C" },
    ]);
  });

  it("reports swaps that are offered, declined or made, but no withdrawal", () => {
    for (const kind of ["offered", "declined", "swapped"] as const) {
      const happened = event({ kind, seat: 0, other: 3, by: null });
      expect(eventsOf(state({}, "open"), happened, state({}, "open"))).toEqual([{ kind, seat: 0, other: 3 }]);
    }
    expect(eventsOf(state({}, "open"), event({ kind: "withdrew" }), state({}, "open"))).toEqual([]);
  });

  it("reports who takes the rest of a round", () => {
    const happened = event({ kind: "rest_taken", seat: 2, by: null });
    expect(eventsOf(state({}), happened, state({}))).toEqual([{ kind: "rest_taken", seat: 2 }]);
  });

  it("reports requests to undo, the answers to them, and the undo itself", () => {
    for (const kind of ["undo_asked", "undo_withdrawn", "undo_lapsed", "undone"] as const) {
      const happened = event({ kind, seat: 2, by: null });
      expect(eventsOf(state({}), happened, state({}))).toEqual([{ kind, seat: 2 }]);
    }
    for (const kind of ["undo_agreed", "undo_declined"] as const) {
      const happened = event({ kind, seat: 1, other: 2, by: null });
      expect(eventsOf(state({}), happened, state({}))).toEqual([{ kind, seat: 1, other: 2 }]);
    }
  });

  it("reports who made trump, then the trick with its points", () => {
    const before = state({ trick: open });
    const after = state({ tricks: [trick], trump: "H", points: [0, 12, 0] });
    expect(eventsOf(before, event({ action: "play 6H" }), after)).toEqual([
      { kind: "played", seat: 2, card: "6H" },
      { kind: "trump", suit: "H", by: 2 },
      { kind: "trick", cards: [...open, [2, "6H"]], winner: 1, points: 12 },
    ]);
  });

  it("reports each molotov once, although the list keeps earlier ones", () => {
    const bomb = (number: number) => ({ seat: 1, cards: ["6C", "7C", "8C"], points: 20, trick: number });
    const before = state({ trick: open, tricks: [trick], trump: "H", molotovs: [bomb(1)] });
    const after = state({ tricks: [trick, trick], trump: "H", molotovs: [bomb(1), bomb(2)] });
    const events = eventsOf(before, event({ action: "play 6C" }), after);
    expect(events.filter((one) => one.kind === "molotov")).toEqual([{ kind: "molotov", molotov: bomb(2) }]);
  });

  it("finds the last trick of a round in the finished round", () => {
    const round = finished([0, 157, 0]);
    const before = state({ trick: open, trump: "H" });
    const after = state({ rounds: [round] }, "between");
    const events = eventsOf(before, event({ action: "play 6H" }), after);
    expect(events.map((one) => one.kind)).toEqual(["played", "trick", "round"]);
    expect(events[1]).toMatchObject({ winner: 1, points: null });
  });

  it("reports the end of the match after the end of its last round", () => {
    const round = finished([0, 0, 0]);
    const after = state({ rounds: [round], over: true, winners: [1] }, "over");
    const events = eventsOf(state({ trick: open, trump: "H" }), event({ action: "play 6H" }), after);
    expect(events.at(-1)).toEqual({ kind: "over", winners: [1] });
  });

  it("reports a void round, which no list contains", () => {
    const before = state({ trick: open, tricks: [trick] });
    const events = eventsOf(before, event({ action: "play 6C" }), state({}, "between"));
    expect(events.map((one) => one.kind)).toEqual(["played", "annulled"]);
  });

  it("reports a hidden bid without its value", () => {
    const bids = state({ game: "differenzler", has_bid: [false, false, false, false] });
    expect(eventsOf(bids, event({ seat: 1, action: "bid" }), bids)).toEqual([
      { kind: "bid", seat: 1, bid: null },
    ]);
    expect(eventsOf(bids, event({ seat: 0, action: "bid 42" }), bids)).toEqual([
      { kind: "bid", seat: 0, bid: 42 },
    ]);
  });

  it("reports the action chosen in games with other choices", () => {
    for (const action of ["push", "trump H", "bid 42"]) {
      expect(eventsOf(state({}), event({ seat: 1, action }), state({}))).toEqual([
        { kind: "chose", seat: 1, action },
      ]);
    }
  });

  it("reports the draw for the first dealer, the deal and a drawn trump", () => {
    const draw: [number, string][] = [
      [0, "7C"],
      [1, "AC"],
    ];
    const pack = (purpose: Event["event"]["pack"]) => event({ kind: "pack", seat: null, pack: purpose });
    expect(eventsOf(state({ dealer: null }), pack("draw"), state({ draw, dealer: 1 }))).toEqual([
      { kind: "drawn", draw, dealer: 1 },
    ]);
    expect(eventsOf(state({}), pack("deal"), state({ round: 3 }))).toEqual([{ kind: "dealt", round: 3 }]);
    expect(eventsOf(state({}), pack("trump"), state({ trump: "S" }))).toEqual([
      { kind: "trump", suit: "S", by: null },
    ]);
  });

  it("shows the draw to who arrives before anything was done, and to nobody later", () => {
    const draw: [number, string][] = [
      [0, "7C"],
      [1, "AC"],
    ];
    const begun = state({ draw, dealer: 1 });
    expect(recentDraw(begun)).toEqual({ kind: "drawn", draw, dealer: 1 });
    expect(recentDraw({ ...begun, said: [null, null, null] })).not.toBeNull();
    expect(recentDraw({ ...begun, said: [null, "trump S", null] })).toBeNull();
    expect(recentDraw(state({ draw, dealer: 1, trick: [[2, "JC"]] }))).toBeNull();
    expect(recentDraw(state({ draw: null, dealer: 1 }))).toBeNull();
    expect(recentDraw({ ...begun, view: null })).toBeNull();
  });

  it("reports who is away and who is back", () => {
    expect(eventsOf(state({}), event({ kind: "away", seat: 1 }), state({}))).toEqual([
      { kind: "away", seat: 1, by: null },
    ]);
    expect(eventsOf(state({}), event({ kind: "away", seat: 1, other: 0 }), state({}))).toEqual([
      { kind: "away", seat: 1, by: 0 },
    ]);
    expect(eventsOf(state({}), event({ kind: "back", seat: 1 }), state({}))).toEqual([
      { kind: "back", seat: 1 },
    ]);
  });
});

describe("displayTime", () => {
  const played: GameEvent = { kind: "played", seat: 1, card: "8C" };
  const taken: GameEvent = { kind: "trick", cards: [], winner: 1, points: 0 };

  it("is longer for a trick than for a card, and longer at calm speed", () => {
    expect(displayTime([played, taken], "normal", 0)).toBeGreaterThan(displayTime([played], "normal", 0));
    expect(displayTime([taken], "calm", 0)).toBeGreaterThan(displayTime([taken], "brisk", 0));
  });

  it("is shorter when the table is ahead, and zero when it is far ahead", () => {
    expect(displayTime([played], "normal", 10)).toBeLessThan(displayTime([played], "normal", 0));
    expect(displayTime([played], "normal", 100)).toBe(0);
  });

  it("keeps the last trick of a round visible, however far the table is ahead", () => {
    const usual = displayTime([played, taken], "normal", 0);
    expect(displayTime([played, taken], "normal", 0, true)).toBeGreaterThan(1.5 * usual);
    expect(displayTime([played, taken], "normal", 100, true)).toBe(
      displayTime([played, taken], "normal", 0, true),
    );
    expect(displayTime([], "normal", 0, true)).toBe(0);
  });

  it("is zero without events", () => {
    expect(displayTime([], "calm", 0)).toBe(0);
  });
});
