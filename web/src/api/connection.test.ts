import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeSocket } from "./fakeSocket";
import type { ErrorMessage, ServerMessage } from "./messages";
import { Connection, ConnectionLostError, RequestRefusedError, type ConnectionStatus } from "./connection";

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
let meant: boolean;

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
  meant = true;
  connection = new Connection(
    "ws://here/ws",
    {
      message: (message) => heard.push(message),
      status: (status, why) => {
        statuses.push(status);
        full = why && why.code;
      },
      anonymous: () => (anonymous += 1),
      stillMeant: () => meant,
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
    await expect(first).resolves.toBeUndefined();
    await expect(second).rejects.toBeInstanceOf(RequestRefusedError);
    await expect(second).rejects.toMatchObject({ reason: "follow_or_trump" });
  });

  it("rejects requests that are not kept when the connection drops, and never resends them", async () => {
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

describe("A request without an answer", () => {
  const KEPT = true;
  const play = { type: "act", table: TABLE, action: "play JC" } as const;
  const watch = { type: "watch", table: TABLE, since: null, seat: null, key: null } as const;

  /** The end of a request: "open" until it has one. */
  function outcome(request: Promise<void>): { value: string } {
    const end = { value: "open" };
    request.then(
      () => (end.value = "done"),
      (error: unknown) => (end.value = error instanceof ConnectionLostError ? "lost" : "refused"),
    );
    return end;
  }

  const seqOf = (type: string): number => Number(latest().sent.findLast((one) => one.type === type)?.seq);

  /** The server welcomes the page, which watches the table; `settled` is told before the acknowledgement. */
  async function resume(settled?: number): Promise<void> {
    latest().say(welcome());
    await vi.advanceTimersByTimeAsync(0);
    void connection.request(watch).catch(() => undefined);
    if (settled !== undefined) latest().say({ type: "settled", table: TABLE, last: settled });
    latest().say({ type: "ack", seq: seqOf("watch"), table: TABLE, version: 1 });
    await vi.advanceTimersByTimeAsync(0);
  }

  /** A kept request on a line that then stays silent until the page opens another connection. */
  async function silence(): Promise<{ end: { value: string }; seq: number }> {
    await resume();
    const end = outcome(connection.request(play, KEPT));
    const seq = seqOf("act");
    await vi.advanceTimersByTimeAsync(4_001);
    return { end, seq };
  }

  it("breaks a silent line after four seconds, and opens another at once", async () => {
    await resume();
    outcome(connection.request(play, KEPT));
    await vi.advanceTimersByTimeAsync(3_990);
    expect(FakeSocket.opened).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(20);
    expect(statuses.at(-1)).toBe("offline");
    expect(FakeSocket.opened).toHaveLength(2);
    expect(FakeSocket.opened[0]?.readyState).toBe(3);
  });

  it("is done if the server has settled it, and is not sent again", async () => {
    const { end, seq } = await silence();
    await resume(seq);
    expect(end.value).toBe("done");
    expect(latest().sent.map(({ type }) => type)).toEqual(["watch"]);
  });

  it("is sent again once if the server has not settled it", async () => {
    const { end, seq } = await silence();
    await resume(seq - 1);
    expect(end.value).toBe("open");
    expect(latest().sent.filter(({ type }) => type === "act")).toMatchObject([{ action: "play JC" }]);
    expect(seqOf("act")).toBeGreaterThan(seq);
    latest().say({ type: "ack", seq: seqOf("act"), table: TABLE, version: 2 });
    await vi.advanceTimersByTimeAsync(0);
    expect(end.value).toBe("done");
  });

  it("is lost if the server does not know, or if it is no longer meant", async () => {
    const unknown = await silence();
    await resume();
    expect(unknown.end.value).toBe("lost");
    meant = false;
    const past = await silence();
    await resume(past.seq - 1);
    expect(past.end.value).toBe("lost");
    expect(latest().sent.filter(({ type }) => type === "act")).toEqual([]);
  });

  it("keeps later ones back until it is settled", async () => {
    const { end, seq } = await silence();
    latest().say(welcome());
    await vi.advanceTimersByTimeAsync(0);
    void connection.request(watch).catch(() => undefined);
    const later = outcome(connection.request({ type: "say", table: TABLE, phrase: "hello" }, KEPT));
    const hint = outcome(connection.request({ type: "hint", table: TABLE }));
    await vi.advanceTimersByTimeAsync(0);
    expect(latest().sent.map(({ type }) => type)).toEqual(["watch"]);
    expect([end.value, later.value, hint.value]).toEqual(["open", "open", "lost"]);
    latest().say({ type: "settled", table: TABLE, last: seq - 1 });
    latest().say({ type: "ack", seq: seqOf("watch"), table: TABLE, version: 1 });
    expect(latest().sent.map(({ type }) => type)).toEqual(["watch", "act", "say"]);
  });

  it("is lost after fifteen seconds, and never sent after that", async () => {
    const { end, seq } = await silence();
    await vi.advanceTimersByTimeAsync(10_990);
    expect(end.value).toBe("open");
    await vi.advanceTimersByTimeAsync(20);
    expect(end.value).toBe("lost");
    await resume(seq - 1);
    expect(latest().sent.map(({ type }) => type)).toEqual(["watch"]);
  });

  it("is lost when the page is closed", async () => {
    const { end } = await silence();
    connection.close();
    await vi.advanceTimersByTimeAsync(0);
    expect(end.value).toBe("lost");
  });

  it("has more time on a line that delivers other messages", async () => {
    await resume();
    outcome(connection.request(play, KEPT));
    for (let second = 1; second < 12; second++) {
      await vi.advanceTimersByTimeAsync(1_000);
      latest().say({ type: "pong", seq: 0 });
    }
    expect(FakeSocket.opened).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_010);
    expect(FakeSocket.opened).toHaveLength(2);
  });

  it("has more time on a line that was slow to open", async () => {
    await vi.advanceTimersByTimeAsync(6_500);
    await resume();
    outcome(connection.request(play, KEPT));
    await vi.advanceTimersByTimeAsync(6_400);
    expect(FakeSocket.opened).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(FakeSocket.opened).toHaveLength(2);
  });

  it("breaks no line if it asks for a hint, which takes its time", async () => {
    await resume();
    outcome(connection.request({ type: "hint", table: TABLE }));
    await vi.advanceTimersByTimeAsync(19_000);
    expect(FakeSocket.opened).toHaveLength(1);
  });

  it("leaves a table eight seconds to come", async () => {
    latest().say(welcome());
    await vi.advanceTimersByTimeAsync(0);
    outcome(connection.request(watch));
    await vi.advanceTimersByTimeAsync(7_900);
    expect(FakeSocket.opened).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(FakeSocket.opened).toHaveLength(2);
  });

  it("watches without a session at a server that knows none", async () => {
    latest().say(welcome());
    await vi.advanceTimersByTimeAsync(0);
    const end = outcome(connection.request(watch));
    expect(latest().sent.at(-1)).toHaveProperty("session");
    latest().say({ ...refusal, code: "bad_message", seq: seqOf("watch") });
    expect(latest().sent.at(-1)).not.toHaveProperty("session");
    latest().say({ type: "ack", seq: seqOf("watch"), table: TABLE, version: 1 });
    await vi.advanceTimersByTimeAsync(0);
    expect(end.value).toBe("done");
  });

  /**
   * A server behind lines that break at a random moment: what the page has sent is lost from there on, or
   * comes much later; or it comes, and the answers are lost. On every line the order is kept.
   */
  class BadLines {
    readonly executed: string[] = [];
    #current: FakeSocket | null = null;
    #settled: number | null = null;
    #read = new Map<FakeSocket, number>();
    #broken = new Map<FakeSocket, "lost" | "late" | "answers">();
    #welcomed = new Set<FakeSocket>();

    constructor(private readonly chance: () => number) {}

    /** Reads what has arrived on the newest line and, of old ones, what comes late. */
    step(): void {
      for (const socket of FakeSocket.opened) {
        const broken = this.#broken.get(socket);
        const newest = socket === latest();
        if (newest && !this.#welcomed.has(socket)) {
          this.#welcomed.add(socket);
          socket.say(welcome());
        } else if (broken === "late" ? !newest && this.chance() < 0.1 : broken !== "lost")
          this.#receive(socket);
      }
    }

    #receive(socket: FakeSocket): void {
      const late = this.#broken.get(socket) === "late";
      const unread = socket.sent.slice(this.#read.get(socket) ?? 0);
      for (const message of unread) {
        const fate = late ? 1 : this.chance();
        if (fate < 0.1) this.#broken.set(socket, "lost");
        else if (fate < 0.2) this.#broken.set(socket, "late");
        else if (fate < 0.3) this.#broken.set(socket, "answers");
        if (fate < 0.2) return;
        this.#read.set(socket, (this.#read.get(socket) ?? 0) + 1);
        this.#handle(socket, message);
      }
    }

    #handle(socket: FakeSocket, message: Record<string, unknown>): void {
      const seq = Number(message.seq);
      const heard = !this.#broken.has(socket);
      if (message.type === "watch") {
        // One that comes late is older than that of the current connection.
        if (this.#broken.get(socket) === "late") return;
        if (heard && this.#settled !== null)
          socket.say({ type: "settled", table: TABLE, last: this.#settled });
        this.#current = socket;
        this.#settled ??= seq;
      } else if (socket !== this.#current) return;
      else {
        if (message.type === "act") this.executed.push(String(message.action));
        this.#settled = seq;
      }
      if (heard) socket.say({ type: "ack", seq, table: TABLE, version: 1 });
    }
  }

  it("is executed once if it is done, and at most once if it is lost, whatever the lines do", async () => {
    let state = 1;
    const chance = () => (state = (state * 48271) % 2147483647) / 2147483647;
    const lines = new BadLines(chance);
    const ends: { value: string }[] = [];
    for (let second = 0; second < 3_000; second++) {
      lines.step();
      await vi.advanceTimersByTimeAsync(0);
      if (statuses.at(-1) === "online") {
        if (latest().sent.length === 0) void connection.request(watch).catch(() => undefined);
        else if (chance() < 0.3) {
          ends.push(outcome(connection.request({ ...play, action: `bid ${ends.length}` }, KEPT)));
        }
      }
      await vi.advanceTimersByTimeAsync(1_000);
    }
    const times = ends.map((_, number) => lines.executed.filter((one) => one === `bid ${number}`).length);
    const done = ends.flatMap(({ value }, number) => (value === "done" ? [times[number]] : []));
    expect(FakeSocket.opened.length).toBeGreaterThan(50);
    expect(done.length).toBeGreaterThan(200);
    expect(new Set(done)).toEqual(new Set([1]));
    expect(Math.max(...times)).toBe(1);
  });
});
