import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Connection, type ConnectionStatus } from "./connection";
import { openEarlySocket, takeEarlySocket } from "./earlySocket";
import { FakeSocket } from "./fakeSocket";
import type { ServerMessage, Snapshot } from "./messages";

const TABLE = "a-table-of-the-tests";
const snapshot = { type: "snapshot", table: TABLE, room: { game: "molotov" } } as Snapshot;
const welcome = (identity = true): ServerMessage => ({ type: "welcome", protocol: 1, identity });
const latest = (): FakeSocket => FakeSocket.opened.at(-1) as FakeSocket;
const settle = () => vi.advanceTimersByTimeAsync(0);

let games: string[];
let heard: ServerMessage[];
let statuses: ConnectionStatus[];
let identified: number;
let connection: Connection | null;
let created: (response: Response) => void;
let posted: number;

/** Opens the connection of a table, which watches it as soon as it can. */
function connect(table = TABLE, key: string | null = null): void {
  const listener = {
    message: (message: ServerMessage) => heard.push(message),
    status(status: ConnectionStatus) {
      statuses.push(status);
      if (status !== "online") return;
      connection?.request({ type: "watch", table, since: null, seat: null, key }).catch(() => undefined);
    },
    anonymous: () => undefined,
    stillMeant: () => true,
  };
  const identify = async () => void (identified += 1);
  connection = new Connection("ws://here/ws", listener, identify, takeEarlySocket(table, key));
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0);
  vi.stubGlobal("WebSocket", FakeSocket);
  FakeSocket.opened = [];
  games = [];
  heard = [];
  statuses = [];
  identified = posted = 0;
  connection = null;
  const answer = new Promise<Response>((done) => (created = done));
  vi.stubGlobal("fetch", () => {
    posted += 1;
    return answer;
  });
  openEarlySocket(TABLE, null, (game) => games.push(game));
});

afterEach(() => {
  connection?.close();
  takeEarlySocket("", null);
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("the socket opened before the scripts have come", () => {
  it("watches the table, tells its game, and is taken over with all that was said", async () => {
    latest().say(welcome());
    latest().say(snapshot);
    expect(games).toEqual(["molotov"]);
    connect();
    await settle();
    expect(FakeSocket.opened).toHaveLength(1);
    expect(latest().sent.map(({ type, seq }) => [type, seq])).toEqual([["watch", 1]]);
    expect(statuses).toEqual(["connecting", "online"]);
    expect(heard).toEqual([snapshot]);

    const play = connection?.request({ type: "act", table: TABLE, action: "play JC" });
    latest().say({ type: "ack", seq: 1, table: TABLE, version: 1 });
    latest().say({ type: "ack", seq: 2, table: TABLE, version: 2 });
    await expect(play).resolves.toBeUndefined();
    expect(heard).toHaveLength(3);
  });

  it("is taken over at any moment, and its session is that of later connections", async () => {
    connect();
    latest().say(welcome());
    await settle();
    expect(latest().sent).toHaveLength(1);
    latest().close();
    await settle();
    latest().say(welcome());
    await settle();
    const sessions = FakeSocket.opened.map(({ sent }) => sent[0]?.session);
    expect(sessions).toHaveLength(2);
    expect(sessions[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(sessions[1]).toBe(sessions[0]);
  });

  it.each([
    ["another table", "another-table", null],
    ["another link of the table", TABLE, "key"],
  ])("is closed when the page opens %s", async (_, table, key) => {
    latest().say(welcome());
    connect(table, key);
    latest().say(welcome());
    await settle();
    expect(FakeSocket.opened.map(({ readyState }) => readyState)).toEqual([3, FakeSocket.OPEN]);
    expect(latest().sent).toMatchObject([{ type: "watch", table, key }]);
  });

  it("is replaced when it has closed", async () => {
    latest().say(welcome());
    latest().close();
    connect();
    latest().say(welcome());
    await settle();
    expect(FakeSocket.opened).toHaveLength(2);
    expect(latest().sent).toMatchObject([{ type: "watch", seq: 1 }]);
  });

  it("sends nothing to a server of another protocol", async () => {
    latest().say({ type: "welcome", protocol: 2, identity: true });
    connect();
    await settle();
    expect(FakeSocket.opened.flatMap(({ sent }) => sent)).toEqual([]);
    expect(statuses.at(-1)).toBe("outdated");
  });
});

describe("a browser without an identity", () => {
  beforeEach(() => latest().say(welcome(false)));

  it("gets one before the scripts have come", async () => {
    created(new Response());
    await settle();
    expect(FakeSocket.opened.map(({ readyState }) => readyState)).toEqual([3, FakeSocket.OPEN]);
    latest().say(welcome());
    connect();
    await settle();
    expect([posted, identified, FakeSocket.opened.length]).toEqual([1, 0, 2]);
    expect(latest().sent).toHaveLength(1);
  });

  it("gets no second one if the page connects meanwhile", async () => {
    connect();
    await settle();
    created(new Response());
    await settle();
    expect([posted, identified, FakeSocket.opened.length]).toEqual([1, 0, 2]);
    latest().say(welcome());
    await settle();
    expect(statuses.at(-1)).toBe("online");
  });

  it("asks again if the server gave it none", async () => {
    created(new Response(null, { status: 503 }));
    await settle();
    connect();
    await settle();
    latest().say(welcome(false));
    await settle();
    expect([posted, identified]).toEqual([1, 1]);
  });
});
