import { beforeEach, expect, it, vi } from "vitest";
import vectors from "../../../../docs/fair-deals.json";
import type { ConnectionListener } from "../../api/connection";
import type { Event, EventInfo, FairDealState, RoomInfo, ServerMessage, Snapshot } from "../../api/messages";
import { matchId } from "../fairness/hashing";
import { TableSession, type SessionCallbacks } from "./tableSession.svelte";

const listeners = vi.hoisted((): ConnectionListener[] => []);

vi.mock(import("../../api/connection"), async (original) => ({
  ...(await original()),
  Connection: class {
    constructor(_: string, listener: ConnectionListener) {
      listeners.push(listener);
    }
    request = (): Promise<void> => Promise.resolve();
    close(): void {}
  } as never,
}));

vi.mock(import("../../api/rest"), async (original) => {
  const rest = await original();
  return { ...rest, getRecord: () => Promise.reject(new rest.ServerError("unknown_table", "")) };
});

const TABLE = "a table's id";

const fair: FairDealState = {
  announcement: { match: matchId(TABLE, 1), end: vectors.chain.ends[0] },
  next_pack: 1,
  call: null,
  void: null,
  asked: [],
};

const room = {
  table: TABLE,
  number: 1,
  phase: "playing",
  seats: ["Anna", "Lea", "Urs", "Reto"].map((name) => ({ name, bot: null })),
  requests: [],
  key: null,
  fair,
  game: "schieber",
};
const view = {
  game: "schieber",
  seat: null,
  hand: null,
  hand_sizes: [0, 0, 0, 0],
  rounds: [],
  tricks: [],
  trick: [],
};

const snapshot = {
  type: "snapshot",
  table: TABLE,
  version: 5,
  seat: null,
  room,
  view,
  turn: null,
} as unknown as Snapshot;

const event = (kind: EventInfo["kind"], change: Partial<RoomInfo>): Event =>
  ({
    ...{ type: "event", table: TABLE, version: 6, room: change, set: {}, last: {}, append: {}, turn: null },
    event: { kind, seat: 1, words: "hello", action: null },
  }) as unknown as Event;

const hooks = { events: () => undefined, chatted: () => undefined } as unknown as SessionCallbacks;

/** A page at the table that has received these messages. */
async function session(...messages: ServerMessage[]): Promise<TableSession> {
  const page = new TableSession(TABLE, hooks);
  for (const message of messages) listeners.at(-1)?.message(message);
  await new Promise((done) => setTimeout(done));
  return page;
}

beforeEach(() => sessionStorage.clear());

it.each(["said", "wrote", "ready"] as const)(
  "finds at once that the deals are not spoken of any more in an event of the kind %s",
  async (kind) => {
    expect((await session(snapshot, event(kind, {}))).dealTrouble).toBeNull();
    expect((await session(snapshot, event(kind, { fair: null }))).dealTrouble).not.toBeNull();
    expect((await session(snapshot, event(kind, { fair: null, number: 2 }))).dealTrouble).not.toBeNull();
  },
);

it.each([null, "", false, "x", -1])("finds that %o is no number of a match", async (number) => {
  const none = { number: number as number };
  expect((await session(snapshot, event("said", none))).dealTrouble).not.toBeNull();
  sessionStorage.clear();
  const first = { ...snapshot, room: { ...snapshot.room, ...none } };
  expect((await session(first)).dealTrouble).not.toBeNull();
});

it("names a match that was replaced, also at a table of which the server tells nothing any more", async () => {
  const announcement = { ...fair.announcement, match: matchId(TABLE, 2) };
  const rematch = event("rematch", { number: 2, fair: { ...fair, announcement } });
  (await session(snapshot, rematch)).close();
  const error = { type: "error", table: TABLE, seq: null, code: "unknown_table", message: "" } as const;
  const refused: ServerMessage = { ...error, clause: null, reason: null, legal: [] };
  await import("../fairness/replacedMatches");
  vi.useFakeTimers();
  const page = new TableSession(TABLE, hooks);
  listeners.at(-1)?.message(refused);
  await vi.advanceTimersByTimeAsync(15_000);
  vi.useRealTimers();
  expect(page.replaced?.unproven).toEqual([1]);
});
