// A WebSocket to the server that reconnects by itself. Requests resolve when they are acknowledged. A line
// that stays silent after a request counts as broken, though nothing has closed it.
//
// What becomes of the requests in flight when a connection breaks? All connections of a page are one session
// of the protocol: when the table is watched again, the server refuses what may still arrive over the old
// one, and says how far the requests of the session were settled. Those are done, and later ones were not
// executed and never will be, so they are sent again. If the server does not know, nothing is sent again.
import type { Ack, ClientMessage, ErrorMessage, ServerMessage } from "./messages";
import { newSession, PROTOCOL_VERSION, type EarlySocket } from "./earlySocket";
import { ServerError } from "./rest";

export type ConnectionStatus = "connecting" | "online" | "offline" | "outdated";

/** Why the server rejected this page's connection, with the server's own message. */
export type RejectionReason = Pick<ErrorMessage, "code" | "message">;

/** The connection broke before the answer arrived; the server may have executed the request. */
export class ConnectionLostError extends Error {}

/** A request that the server refused, with the rule behind it if there is one. */
export class RequestRefusedError extends ServerError {
  readonly reason: string | null;

  constructor(error: ErrorMessage) {
    super(error.code, error.message);
    this.reason = error.reason;
  }
}

export interface ConnectionListener {
  message(message: ServerMessage): void;
  /**
   * Called at every change; `online` means welcomed, so that tables can be watched again. While
   * `offline`, `full` is the server's reason for rejecting this page, if it gave one.
   */
  status(status: ConnectionStatus, full: RejectionReason | null): void;
  /**
   * Called when the server does not know this browser although it has just given it an identity: it keeps no
   * cookies.
   */
  anonymous(): void;
  /** Whether a request that has not arrived is still meant, now that the table is known again. */
  stillMeant(request: ClientRequest): boolean;
}

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
export type ClientRequest = Without<ClientMessage, "seq">;

interface Pending {
  request: ClientRequest;
  /** Whether the request outlives the connection. */
  kept: boolean;
  sentAt: number;
  timer: ReturnType<typeof setTimeout> | undefined;
  resolve(): void;
  reject(error: Error): void;
}

const PING_INTERVAL_MS = 20_000;
/** How long an attempt, a ping or a `watch` may remain without an answer. */
const RESPONSE_TIMEOUT_MS = 8_000;
/** The silence after a request that breaks the line; one that took longer to open may be silent as long. */
const REQUEST_TIMEOUT_MS = 4_000;
/** How many times as long a line may leave a request unanswered that delivers other messages meanwhile. */
const BUSY_FACTOR = 3;
/** How long a request is kept for the next connection. Later it would surprise: people have gone on. */
const KEPT_MS = 15_000;
/** The first attempt follows within this time, spread because all clients reconnect after a restart. */
const MIN_RETRY_DELAY_MS = 300;
const MAX_RETRY_DELAY_MS = 8_000;

/** Milliseconds before the next attempt: doubling from half a second, spread by `random`. */
export function retryDelay(attempt: number, random: number): number {
  const wait = Math.min(MAX_RETRY_DELAY_MS, 500 * 2 ** attempt);
  return Math.round(wait * (0.6 + 0.4 * random));
}

export class Connection {
  #socket: WebSocket | null = null;
  #session: string | null;
  #seq = 0;
  #attempt = 0;
  #pending = new Map<number, Pending>();
  /** Requests of earlier connections that may or may not have arrived. */
  #unsettled = new Map<number, Pending>();
  /** The last request of earlier connections that was executed or refused; null if unknown. */
  #settled: number | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #beat: ReturnType<typeof setInterval> | undefined;
  #answer: ReturnType<typeof setTimeout> | undefined;
  #openedAt = 0;
  #heardAt = 0;
  #timeout = REQUEST_TIMEOUT_MS;
  #identified = false;
  /** The identity that is being created since before this connection; null if none is. */
  #identity: Promise<void> | null;
  /** Whether the `watch` to be sent first over this socket was sent already. */
  #watches = false;
  #welcome = false;
  #full: RejectionReason | null = null;
  #closed = false;

  /**
   * @param url where the server's WebSocket is
   * @param listener receives every message and every change of the connection
   * @param identify gets this browser an identity if it has none
   * @param early the socket that was opened before, if any
   */
  constructor(
    private readonly url: string,
    private readonly listener: ConnectionListener,
    private readonly identify: () => Promise<void>,
    early: EarlySocket | null = null,
  ) {
    this.#session = early?.session ?? newSession();
    this.#identity = early?.identity ?? null;
    this.#open(early);
    addEventListener("online", this.#hurry);
    document.addEventListener("visibilitychange", this.#hurry);
  }

  /**
   * Sends a request; resolves when it is acknowledged, rejects with `RequestRefusedError` or
   * `ConnectionLostError`. With `kept` it outlives the connection, for some seconds.
   */
  request(request: ClientRequest, kept = false): Promise<void> {
    // Before older requests are settled, a later one would say that they all had arrived.
    const waits = this.#unsettled.size > 0 && request.type !== "watch";
    if (this.#socket?.readyState !== WebSocket.OPEN || (waits && !kept))
      return Promise.reject(new ConnectionLostError());
    return new Promise((resolve, reject) => {
      const pending = { request, kept, sentAt: performance.now(), timer: undefined, resolve, reject };
      if (waits) this.#keep(++this.#seq, pending);
      else this.#send(pending);
    });
  }

  /** Ends the connection for good. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    removeEventListener("online", this.#hurry);
    document.removeEventListener("visibilitychange", this.#hurry);
    this.#socket?.close();
    this.#drop();
    this.#settle(null);
  }

  #send(pending: Pending): void {
    const seq = ++this.#seq;
    const { request } = pending;
    this.#pending.set(seq, pending);
    const session = request.type === "watch" && this.#session !== null ? { session: this.#session } : {};
    if (this.#watches) this.#watches = false;
    else this.#socket?.send(JSON.stringify({ ...request, ...session, seq }));
    // A hint may be thought about for longer than any silence; `ping` watches the line meanwhile.
    if (request.type !== "hint") this.#awaitAnswer(pending, performance.now());
  }

  /** Gives the connection up if it stays silent while a request, sent at `since`, has no answer. */
  #awaitAnswer(pending: Pending, since: number): void {
    const limit = pending.request.type === "watch" ? RESPONSE_TIMEOUT_MS : this.#timeout;
    const until = Math.min(Math.max(since, this.#heardAt) + limit, since + BUSY_FACTOR * limit);
    const left = until - performance.now();
    if (left > 0) pending.timer = setTimeout(() => this.#awaitAnswer(pending, since), left);
    else this.#giveUp();
  }

  #open(early: EarlySocket | null = null): void {
    if (this.#closed) return;
    this.listener.status(this.#attempt === 0 ? "connecting" : "offline", this.#full);
    const socket = early?.socket ?? new WebSocket(this.url);
    this.#socket = socket;
    this.#watches = early?.watches ?? false;
    this.#welcome = false;
    this.#full = null;
    this.#settled = null;
    this.#openedAt = performance.now();
    // An attempt without an answer would last for minutes, in silence: until the browser gives it up.
    this.#expectAnswer();
    socket.addEventListener("message", (event) => {
      if (socket === this.#socket) this.#receive(JSON.parse(String(event.data)) as ServerMessage);
    });
    socket.addEventListener("close", () => {
      if (socket === this.#socket) this.#lost();
    });
    // Received once the caller has this connection.
    for (const data of early?.received ?? []) {
      queueMicrotask(() => socket.dispatchEvent(new MessageEvent("message", { data })));
    }
  }

  #receive(message: ServerMessage): void {
    clearTimeout(this.#answer);
    this.#heardAt = performance.now();
    if (message.type === "error" && !this.#welcome) {
      // The server closes the connection after this.
      this.#full = message;
      return;
    }
    this.#welcome = true;
    if (message.type === "welcome") return void this.#welcomed(message.protocol, message.identity);
    if (message.type === "settled") this.#settled = message.last;
    else if (message.type === "ack") this.#acknowledged(message);
    else if (message.type === "error" && message.seq !== null) this.#refused(message, message.seq);
    this.listener.message(message);
  }

  #acknowledged({ seq }: Ack): void {
    const pending = this.#take(seq);
    pending?.resolve();
    if (pending?.request.type === "watch") this.#settle(this.#settled);
  }

  #refused(error: ErrorMessage, seq: number): void {
    const pending = this.#take(seq);
    if (!pending) return;
    const watch = pending.request.type === "watch";
    if (watch && this.#session !== null && error.code === "bad_message") {
      // A server of the version before, while a cluster is being upgraded: it knows no sessions.
      this.#session = null;
      this.#send(pending);
      return;
    }
    pending.reject(new RequestRefusedError(error));
    if (watch) this.#settle(null);
  }

  /** Settles the requests of earlier connections, once the table is known again. */
  #settle(last: number | null): void {
    const unsettled = [...this.#unsettled];
    this.#unsettled.clear();
    for (const [seq, pending] of unsettled) {
      clearTimeout(pending.timer);
      if (last === null) pending.reject(new ConnectionLostError());
      else if (seq <= last) pending.resolve();
      else if (this.listener.stillMeant(pending.request)) this.#send(pending);
      else pending.reject(new ConnectionLostError());
    }
  }

  async #welcomed(protocol: number, known: boolean): Promise<void> {
    if (protocol !== PROTOCOL_VERSION) {
      this.close();
      this.listener.status("outdated", null);
      return;
    }
    if (!known && !this.#identified) {
      // Only once: a browser without cookies would loop forever, and may still watch.
      const socket = this.#socket;
      try {
        const identity = this.#identity ?? this.identify();
        this.#identity = null;
        await identity;
        this.#identified = true;
      } catch {
        // The next connection tries again.
      }
      socket?.close();
      return;
    }
    if (!known) this.listener.anonymous();
    this.#attempt = 0;
    this.#timeout = Math.max(REQUEST_TIMEOUT_MS, performance.now() - this.#openedAt);
    this.#beat = setInterval(() => this.#ping(), PING_INTERVAL_MS);
    this.listener.status("online", null);
  }

  #ping(): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(JSON.stringify({ type: "ping", seq: ++this.#seq }));
    // A dead connection does not always close by itself; silence counts as broken.
    this.#expectAnswer();
  }

  /** Gives the connection up unless the server says something in time. */
  #expectAnswer(): void {
    clearTimeout(this.#answer);
    this.#answer = setTimeout(() => this.#giveUp(), RESPONSE_TIMEOUT_MS);
  }

  #giveUp(): void {
    const socket = this.#socket;
    this.#lost();
    socket?.close();
  }

  #lost(): void {
    this.#drop();
    if (this.#closed) return;
    const random = Math.random();
    const wait = this.#attempt === 0 ? MIN_RETRY_DELAY_MS * random : retryDelay(this.#attempt - 1, random);
    this.#attempt += 1;
    this.listener.status("offline", this.#full);
    this.#retry = setTimeout(() => this.#open(), wait);
  }

  #drop(): void {
    clearInterval(this.#beat);
    clearTimeout(this.#answer);
    this.#socket = null;
    const pending = [...this.#pending];
    this.#pending.clear();
    for (const [seq, one] of pending) {
      clearTimeout(one.timer);
      if (one.kept) this.#keep(seq, one);
      else one.reject(new ConnectionLostError());
    }
  }

  #keep(seq: number, pending: Pending): void {
    this.#unsettled.set(seq, pending);
    const left = pending.sentAt + KEPT_MS - performance.now();
    pending.timer = setTimeout(() => {
      this.#unsettled.delete(seq);
      pending.reject(new ConnectionLostError());
    }, left);
  }

  #hurry = (): void => {
    if (document.visibilityState === "hidden") return;
    const socket = this.#socket;
    if (socket && this.#welcome) return this.#ping();
    // The network may have changed since an attempt began that has no answer yet.
    this.#drop();
    socket?.close();
    clearTimeout(this.#retry);
    this.#open();
  };

  #take(seq: number): Pending | undefined {
    const pending = this.#pending.get(seq);
    this.#pending.delete(seq);
    clearTimeout(pending?.timer);
    return pending;
  }
}
