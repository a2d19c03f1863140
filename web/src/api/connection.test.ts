import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ErrorMessage, ServerMessage } from "./messages";
import { Connection, ConnectionLostError, RequestRefusedError, type ConnectionStatus } from "./connection";

/** The server's end of each WebSocket that the page opens. */
class FakeSocket extends EventTarget {
  static opened: FakeSocket[] = [];
  static readonly OPEN = 1;
  readyState = FakeSocket.OPEN;
  sent: Record<string, unknown>[] = [];

  constructor() {
    super();
    FakeSocket.opened.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  close(): void {
    this.readyState = 3;
    this.dispatchEvent(new Event("close"));
  }

  say(message: ServerMessage): void {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
  }
}

const TABLE = "a-table-of-the-tests";

const refusal: ErrorMessage = {
  type: "error",
  code: "busy",
  seq: null,
  table: null,
  message: "no",
  clause: null,
  reason: null,
  legal: [],
};

let statuses: ConnectionStatus[];
let full: string | null;
let heard: ServerMessage[];
let connection: Connection;
let identified: number;
let anonymous: number;

const latest = (): FakeSocket => FakeSocket.opened.at(-1) as FakeSocket;
const welcome = (identity = true): ServerMessage => ({ type: "welcome", protocol: 1, identity });

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0);
  vi.stubGlobal("WebSocket", FakeSocket);
  FakeSocket.opened = [];
  statuses = [];
  heard = [];
  identified = anonymous = 0;
  connection = new Connection(
    "ws://here/ws",
    {
      message: (message) => heard.push(message),
      status: (status, why) => {
        statuses.push(status);
        full = why && why.code;
      },
      anonymous: () => (anonymous += 1),
    },
    async () => {
      identified += 1;
    },
  );
});

afterEach(() => {
  connection.close();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("Connection", () => {
  it("goes online only after the server's welcome", async () => {
    expect(statuses).toEqual(["connecting"]);
    latest().say(welcome());
    await vi.advanceTimersByTimeAsync(0);
    expect(statuses.at(-1)).toBe("online");
  });

  it("matches replies to requests by sequence number", async () => {
    latest().say(welcome());
    const first = connection.request({ type: "start", table: TABLE });
    const second = connection.request({ type: "act", table: TABLE, action: "play JC" });
    const [one, two] = latest().sent.map(({ seq }) => Number(seq)) as [number, number];
    latest().say({
      type: "error",
      seq: two,
      table: TABLE,
      code: "illegal_action",
      message: "no",
      clause: "C8d",
      reason: "follow_or_trump",
      legal: [],
    });
    latest().say({ type: "ack", seq: one, table: TABLE, version: 3 });
    await expect(first).resolves.toMatchObject({ version: 3 });
    await expect(second).rejects.toBeInstanceOf(RequestRefusedError);
    await expect(second).rejects.toMatchObject({ reason: "follow_or_trump" });
  });

  it("rejects pending requests when the connection drops, and never resends them", async () => {
    latest().say(welcome());
    const play = connection.request({ type: "act", table: TABLE, action: "play JC" });
    const failed = expect(play).rejects.toBeInstanceOf(ConnectionLostError);
    latest().close();
    await failed;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(FakeSocket.opened.length).toBeGreaterThan(1);
    latest().say(welcome());
    expect(latest().sent).toEqual([]);
  });

  it("rejects requests while it is disconnected", async () => {
    latest().say(welcome());
    latest().close();
    await expect(connection.request({ type: "ready", table: TABLE })).rejects.toBeInstanceOf(
      ConnectionLostError,
    );
  });

  it("adds a random delay before it reconnects", async () => {
    vi.mocked(Math.random).mockReturnValue(0.99);
    latest().close();
    await vi.advanceTimersByTimeAsync(200);
    expect(FakeSocket.opened).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(FakeSocket.opened).toHaveLength(2);
  });

  it("backs off between attempts, and reconnects at once when the network is back", async () => {
    latest().close();
    await vi.advanceTimersByTimeAsync(0);
    expect(FakeSocket.opened).toHaveLength(2);
    for (let attempt = 0; attempt < 6; attempt++) {
      latest().close();
      await vi.advanceTimersByTimeAsync(9_000);
    }
    const before = FakeSocket.opened.length;
    latest().close();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(FakeSocket.opened).toHaveLength(before);
    window.dispatchEvent(new Event("online"));
    expect(FakeSocket.opened).toHaveLength(before + 1);
  });

  it("requests an identity once and then reconnects with it", async () => {
    latest().say(welcome(false));
    await vi.advanceTimersByTimeAsync(0);
    expect([identified, anonymous]).toEqual([1, 0]);
    expect(FakeSocket.opened).toHaveLength(2);
    latest().say(welcome(false));
    await vi.advanceTimersByTimeAsync(0);
    expect([identified, anonymous]).toEqual([1, 1]);
    expect(statuses.at(-1)).toBe("online");
  });

  it("reports why the server turned it away, for as long as that holds", async () => {
    const turnAway = () => {
      latest().say({ ...refusal, code: "limit" });
      latest().close();
    };
    turnAway();
    expect([statuses.at(-1), full]).toEqual(["offline", "limit"]);
    await vi.advanceTimersByTimeAsync(0);
    expect([statuses.at(-1), full]).toEqual(["offline", "limit"]);
    latest().close();
    expect([statuses.at(-1), full]).toEqual(["offline", null]);
    await vi.advanceTimersByTimeAsync(9_000);
    turnAway();
    await vi.advanceTimersByTimeAsync(9_000);
    latest().say(welcome());
    await vi.advanceTimersByTimeAsync(0);
    expect([statuses.at(-1), full]).toEqual(["online", null]);
    latest().say(refusal);
    latest().close();
    expect([statuses.at(-1), full]).toEqual(["offline", null]);
    expect(heard).toHaveLength(1);
  });

  it("reconnects when a ping is not answered", async () => {
    latest().say(welcome());
    await vi.advanceTimersByTimeAsync(20_000);
    expect(latest().sent).toMatchObject([{ type: "ping" }]);
    await vi.advanceTimersByTimeAsync(8_001);
    expect(FakeSocket.opened).toHaveLength(2);
    expect(statuses).toContain("offline");
  });

  it("gives up an attempt that gets no welcome, and tries again", async () => {
    await vi.advanceTimersByTimeAsync(7_900);
    expect(FakeSocket.opened).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(FakeSocket.opened).toHaveLength(2);
    expect(FakeSocket.opened[0]?.readyState).toBe(3);
    expect(statuses).toEqual(["connecting", "offline", "offline"]);
    await vi.advanceTimersByTimeAsync(9_000);
    expect(FakeSocket.opened).toHaveLength(3);
    latest().say(welcome());
    await vi.advanceTimersByTimeAsync(0);
    expect(statuses.at(-1)).toBe("online");
    FakeSocket.opened[0]?.say(welcome());
    await vi.advanceTimersByTimeAsync(19_000);
    expect(FakeSocket.opened).toHaveLength(3);
  });

  for (const event of ["online", "visibilitychange"]) {
    it(`replaces an attempt without an answer at ${event}`, async () => {
      await vi.advanceTimersByTimeAsync(1_000);
      (event === "online" ? window : document).dispatchEvent(new Event(event));
      expect(FakeSocket.opened).toHaveLength(2);
      expect(FakeSocket.opened[0]?.readyState).toBe(3);
      latest().say(welcome());
      await vi.advanceTimersByTimeAsync(0);
      expect(statuses.at(-1)).toBe("online");
    });
  }

  it("stays connected when a ping is answered", async () => {
    latest().say(welcome());
    await vi.advanceTimersByTimeAsync(20_000);
    latest().say({ type: "pong", seq: Number(latest().sent[0]?.seq) });
    await vi.advanceTimersByTimeAsync(15_000);
    expect(FakeSocket.opened).toHaveLength(1);
  });

  it("becomes outdated when the server speaks another protocol version", async () => {
    latest().say({ type: "welcome", protocol: 2, identity: true });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(statuses.at(-1)).toBe("outdated");
    expect(FakeSocket.opened).toHaveLength(1);
  });
});
