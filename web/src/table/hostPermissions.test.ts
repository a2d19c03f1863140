import { describe, expect, it } from "vitest";
import type { MolotovView, RoomInfo, SeatInfo, View } from "../api/messages";
import type { TableState } from "./tableState";
import { turnTimeAllowed, clockText, matchTimeLeft } from "./timeLeft";
import { seatsToTakeOver, isHost, canStart, hostSeatActions } from "./hostPermissions";
import { eventsOf } from "../features/play/gameEvents";
import { eventSentence } from "../features/play/narration";

function info(more: Partial<SeatInfo> = {}): SeatInfo {
  const usual = { kind: "person", bot: null, left: false, away: false, ready: false } as const;
  return { ...usual, name: "Anna", asks: null, ...more };
}

function table(room: Partial<RoomInfo> = {}, more: Partial<TableState> = {}): TableState {
  return {
    table: "a-table-of-the-tests",
    version: 1,
    seat: 0,
    room: {
      phase: "open",
      seats: [info(), info({ name: "Reto" }), info({ kind: "open", name: "" })],
      host: 0,
      entry: "link",
      starters: "host",
      requests: [],
      thinking_time: 60,
      match_time: null,
      fair: null,
      used: [0, 0, 0],
      ...room,
    } as RoomInfo,
    view: null,
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
    ...more,
  };
}

describe("isHost, canStart and hostSeatActions", () => {
  it("uses the room's host seat, or the host flag for a host without a seat", () => {
    expect(isHost(table())).toBe(true);
    expect(isHost(table({}, { seat: 1, host: true }))).toBe(false);
    expect(isHost(table({ host: null }, { seat: null, host: true }))).toBe(true);
    expect(isHost(table({ host: null }, { seat: null }))).toBe(false);
  });

  it("lets the host start the match, and others only if the host allows it", () => {
    expect(canStart(table())).toBe(true);
    expect(canStart(table({}, { seat: 1 }))).toBe(false);
    expect(canStart(table({ starters: "all" }, { seat: 1 }))).toBe(true);
    expect(canStart(table({ starters: "all" }, { seat: null }))).toBe(false);
  });

  it("offers for each seat the actions that the server allows", () => {
    const seats = [
      info(),
      info({ name: "Reto" }),
      info({ kind: "open" }),
      info({ kind: "computer", bot: "greedy" }),
      info({ kind: "computer", bot: "greedy", left: true }),
    ];
    const acts = (phase: RoomInfo["phase"]) => {
      const { room } = table({ phase, seats });
      return seats.map((_, seat) => hostSeatActions(room, seat, 0).join());
    };
    expect(acts("open")).toEqual(["", "remove", "give", "open", "give"]);
    expect(acts("between")).toEqual(["", "remove", "give", "", "give"]);
    expect(acts("playing")).toEqual(["", "", "", "", ""]);
    expect(acts("over")).toEqual(["", "remove", "give", "open", "give"]);
  });
});

describe("seatsToTakeOver", () => {
  const seats = [info(), info({ name: "Reto" }), info({ name: "Lea", away: true })];

  it("lists missing players who are not yet away, to players during a match", () => {
    const missing = [true, true, true];
    expect(seatsToTakeOver(table({ phase: "playing", seats }, { missing }))).toEqual([1]);
    expect(seatsToTakeOver(table({ phase: "open", seats }, { missing }))).toEqual([]);
    expect(seatsToTakeOver(table({ phase: "playing", seats }, { missing, seat: null }))).toEqual([]);
    expect(seatsToTakeOver(table({ phase: "playing", seats }))).toEqual([]);
  });
});

describe("turnTimeAllowed, matchTimeLeft and clockText", () => {
  const view = { game: "molotov", trick: [], tricks: [] } as unknown as MolotovView as View;
  const laid = { ...view, trick: [[0, "6C"]] } as View;

  it("doubles for the first card and triples for a player with extended time", () => {
    const { room } = table({ phase: "playing" });
    expect(turnTimeAllowed(room, view, 0)).toBe(120);
    expect(turnTimeAllowed(room, laid, 0)).toBe(60);
    expect(turnTimeAllowed(room, laid, 1)).toBe(120);
    const patient = table({ phase: "playing", seats: [info({ patient: true })] }).room;
    expect(turnTimeAllowed(patient, laid, 0)).toBe(180);
    expect(turnTimeAllowed(table({ thinking_time: null }).room, view, 0)).toBeNull();
  });

  it("is the match time left, with a minimum once that is used up", () => {
    const { room } = table({ phase: "playing", match_time: 300, used: [270, 300, 0] });
    expect(turnTimeAllowed(room, laid, 0)).toBe(30);
    expect(turnTimeAllowed(room, laid, 1)).toBe(5);
    expect([0, 1, 2].map((seat) => matchTimeLeft(room, seat))).toEqual([30, 0, 300]);
    expect(matchTimeLeft(table().room, 0)).toBeNull();
    expect([0, 5, 65, 600.2].map(clockText)).toEqual(["0:00", "0:05", "1:05", "10:01"]);
  });
});

describe("eventsOf and eventSentence for events of the table", () => {
  const told = (event: object, before: TableState, after: TableState): (string | null)[] => {
    const none = { seat: null, action: null, by: null, pack: null, other: null, words: null };
    const message = { event: { ...none, ...event } } as Parameters<typeof eventsOf>[1];
    return eventsOf(before, message, after).map((one) => eventSentence(one, after, "french"));
  };

  it("has a distinct sentence for each action of the host", () => {
    const request = { number: 1, seat: 2, name: "Cla" };
    const computer = info({ kind: "computer" });
    const now = (room: Partial<RoomInfo>) => table(room, { seat: 1 });
    const sentences = [
      told({ kind: "admission" }, table(), now({ entry: "nobody" })),
      told({ kind: "starters" }, table(), now({ starters: "all" })),
      told({ kind: "writing" }, table(), now({ writing: true })),
      told({ kind: "writing" }, table(), now({ writing: false })),
      told({ kind: "published" }, table(), now({ published: true })),
      told({ kind: "published" }, table(), now({ published: false })),
      told({ kind: "delayed" }, table(), now({ delayed: true })),
      told({ kind: "delayed" }, table(), now({ delayed: false })),
      told({ kind: "relinked" }, table(), now({ key: "new" })),
      told({ kind: "asked", seat: 2 }, table(), now({ requests: [request] })),
      told({ kind: "given", seat: 2 }, table(), now({ seats: [info(), info(), computer] })),
      told({ kind: "given", seat: 2 }, table(), now({})),
      told({ kind: "patience", seat: 0 }, table(), now({ seats: [info({ patient: true })] })),
      told({ kind: "patience", seat: 0 }, table(), now({})),
    ].flat();
    expect(new Set(sentences).size).toBe(14);
    expect(sentences.every(Boolean)).toBe(true);
  });

  it("names the player whose seat was taken away, although the seat is now free", () => {
    const after = table({ seats: [info(), info({ kind: "open", name: "" })] });
    expect(told({ kind: "removed", seat: 1 }, table(), after)[0]).toContain("Reto");
  });

  it("reports the new host when the previous one has left", () => {
    const after = table({ host: 1 }, { seat: 1 });
    expect(eventsOf(table(), { event: { kind: "stood", seat: 0 } } as never, after)).toEqual([
      { kind: "stood", seat: 0, name: "Anna" },
      { kind: "host", seat: 1 },
    ]);
    expect(eventsOf(table(), { event: { kind: "stood", seat: 1 } } as never, table())).toHaveLength(1);
  });

  it("reports the new host when the previous one was erased", () => {
    const resigned = { event: { kind: "resigned", seat: null } } as never;
    expect(eventsOf(table(), resigned, table({ host: 1 }))).toEqual([{ kind: "host", seat: 1 }]);
    expect(eventsOf(table(), resigned, table({ host: null }))).toEqual([]);
  });

  it("reports who let the computer play for whom, but not the reader's own absence", () => {
    const seen = table({}, { seat: 2 });
    const [covered] = told({ kind: "away", seat: 1, other: 0 }, seen, seen);
    expect(covered).toMatch(/Anna.*Reto/);
    expect(told({ kind: "away", seat: 1 }, seen, seen)[0]).not.toBe(covered);
    expect(told({ kind: "away", seat: 2 }, seen, seen)).toEqual([null]);
  });
});
