import { describe, expect, it } from "vitest";
import type { Event, MolotovView, RoomInfo, Snapshot } from "../api/messages";
import { applyEvent, applyPresence, fromSnapshot, withoutTurn, type TableState } from "./tableState";

const room: RoomInfo = {
  table: "a-table-of-the-tests",
  game: "molotov",
  options: { players: 3 },
  phase: "playing",
  seats: [],
  thinking_time: null,
  pause: 0,
  number: 1,
  wins: [0, 0, 0],
  guided: false,
  hints: false,
  stand_in: "greedy",
  sides: [[0], [1], [2]],
  host: 0,
  entry: "link",
  starters: "host",
  key: null,
  requests: [],
  match_time: null,
  fair: null,
  used: [0, 0, 0],
};

const view: MolotovView = {
  game: "molotov",
  options: { players: 3 },
  players: ["Anna", "Reto", "bot:greedy"],
  seat: 0,
  phase: "play",
  round: 1,
  dealer: 2,
  draw: null,
  to_act: [0],
  needs_pack: false,
  hand: ["JC", "6D"],
  hand_sizes: [2, 2, 2],
  trick: [],
  last_trick: null,
  tricks: [],
  trump: null,
  points: [0, 0, 0],
  rounds: [],
  standing: [],
  over: false,
  winners: [],
  molotovs: [],
};

const snapshot: Snapshot = {
  type: "snapshot",
  table: room.table,
  version: 7,
  seat: 0,
  room,
  view,
  turn: { legal: ["play JC", "play 6D"], more: false, refused: {}, seconds: null },
  hint: null,
  undoable: false,
  host: true,
  request: null,
  said: [],
  former: null,
  moved: null,
};

function event(changes: Partial<Event>): Event {
  return {
    type: "event",
    table: room.table,
    version: 8,
    event: { kind: "acted", seat: 0, action: "play JC", by: "person", pack: null, other: null, words: null },
    room: {},
    set: {},
    last: {},
    append: {},
    turn: null,
    hint: null,
    undoable: false,
    ...changes,
  };
}

function folded(state: TableState, message: Event): TableState {
  const result = applyEvent(state, message);
  if (result.kind !== "state") throw new Error(`not folded: ${result.kind}`);
  return result.state;
}

describe("applyEvent, applyPresence, fromSnapshot and withoutTurn", () => {
  const start = fromSnapshot(snapshot, null);

  it("replaces the keys of set and leaves the others", () => {
    const after = folded(start, event({ set: { hand: ["6D"], to_act: [1] } }));
    expect(after.view?.hand).toEqual(["6D"]);
    expect(after.view?.to_act).toEqual([1]);
    expect(after.view?.hand_sizes).toEqual([2, 2, 2]);
    expect(after.version).toBe(8);
  });

  it("adds the items of append to the end of the lists", () => {
    const one = folded(start, event({ append: { trick: [[0, "JC"]] } }));
    const two = folded(one, event({ version: 9, append: { trick: [[1, "7C"]] } }));
    expect(two.view?.trick).toEqual([
      [0, "JC"],
      [1, "7C"],
    ]);
    expect(start.view?.trick).toEqual([]);
  });

  it("replaces the last item of a list by the item of last", () => {
    const taken = { leader: 0, cards: ["JC"], winner: 0 };
    const one = folded(start, event({ append: { tricks: [taken, taken] } }));
    const two = folded(
      one,
      event({ version: 9, last: { tricks: { ...taken, winner: 1 } }, append: { tricks: [taken] } }),
    );
    expect(two.view?.tricks.map(({ winner }) => winner)).toEqual([0, 1, 0]);
  });

  it("clears the turn when an event has none", () => {
    expect(start.turn).not.toBeNull();
    expect(folded(start, event({})).turn).toBeNull();
  });

  it("updates the room independently of the view", () => {
    const after = folded(start, event({ room: { phase: "between" } }));
    expect(after.room.phase).toBe("between");
    expect(after.room.game).toBe("molotov");
  });

  it("keeps what each seat has said last besides cards, until the next pack", () => {
    const seats = [1, 2, 3].map(() => ({}) as RoomInfo["seats"][number]);
    const said = fromSnapshot(
      { ...snapshot, room: { ...room, seats }, said: [null, "bid 50 tops", null] },
      null,
    );
    expect(said.said).toEqual([null, "bid 50 tops", null]);
    const by = (seat: number, action: string, version: number): Event =>
      event({ version, event: { ...event({}).event, seat, action } });
    const bid = folded(said, by(2, "bid 60 trump H", 8));
    expect(folded(bid, by(2, "play 6D", 9)).said).toEqual([null, "bid 50 tops", "bid 60 trump H"]);
    expect(folded(bid, by(1, "pass", 9)).said).toEqual([null, "pass", "bid 60 trump H"]);
    const dealt = event({
      version: 9,
      event: { ...event({}).event, kind: "pack", seat: null, action: null },
    });
    expect(folded(bid, dealt).said).toEqual([null, null, null]);
    const again = event({ version: 9, event: { ...event({}).event, kind: "rematch", seat: null } });
    expect(folded(bid, again).said).toEqual([]);
  });

  it("reports a gap when a version is missing", () => {
    expect(applyEvent(start, event({ version: 9 })).kind).toBe("gap");
  });

  it("does not apply an event twice", () => {
    expect(applyEvent(start, event({ version: 7 })).kind).toBe("old");
  });

  it("creates the view from an event when the match begins", () => {
    const open = fromSnapshot({ ...snapshot, view: null, turn: null }, null);
    expect(folded(open, event({})).view).toBeNull();
    expect(folded(open, event({ set: { ...view } as Event["set"] })).view).toEqual(view);
  });

  it("keeps presence across a snapshot of the same table", () => {
    const known = applyPresence(start, {
      type: "presence",
      table: room.table,
      connected: [true, false, false],
      preparing: [false, false, true],
      missing: [false, true, false],
      kept: [true, false, false],
      spectators: 2,
    });
    const there = {
      connected: [true, false, false],
      preparing: [false, false, true],
      missing: [false, true, false],
      kept: [true, false, false],
      spectators: 2,
    };
    expect(fromSnapshot(snapshot, known)).toMatchObject(there);
    expect(folded(known, event({}))).toMatchObject(there);
    expect(fromSnapshot({ ...snapshot, table: "another-table-here" }, known)).toMatchObject({
      connected: [],
      preparing: [],
      missing: [],
      kept: [],
      spectators: 0,
    });
  });

  it("keeps the host flag until the next snapshot", () => {
    expect(start.host).toBe(true);
    expect(folded(start, event({ room: { entry: "nobody" } })).host).toBe(true);
    expect(fromSnapshot({ ...snapshot, host: false }, start).host).toBe(false);
  });

  it("removes turn, hint and seats to act, and keeps the rest", () => {
    const turn = { legal: ["play JC"], more: false, refused: {}, seconds: 20 };
    const known = fromSnapshot({ ...snapshot, turn }, null);
    expect(known.view?.to_act).toEqual([0]);
    const { view: seen, ...rest } = withoutTurn(known);
    expect(rest).toMatchObject({ turn: null, hint: null, seat: 0, room });
    expect(seen).toEqual({ ...view, to_act: [] });
  });

  it("keeps the reader's request for a seat until it is answered", () => {
    const requests = [{ number: 3, seat: 1, name: "Reto" }];
    const asking = fromSnapshot({ ...snapshot, room: { ...room, requests }, request: 3 }, null);
    const another = [...requests, { number: 4, seat: 1, name: "Reto" }];
    expect(folded(asking, event({ room: { requests: another } })).request).toBe(3);
    expect(folded(asking, event({ room: { requests: another.slice(1) } })).request).toBeNull();
  });
});
