// A WebSocket to the server that reconnects by itself. Requests resolve when they are acknowledged.
// Requests in flight when the connection breaks fail with `ConnectionLostError` and are never resent: the
// server may already have executed them.
import type { Ack, ClientMessage, ErrorMessage, ServerMessage } from "./messages";
import { ServerError } from "./rest";

export type ConnectionStatus = "connecting" | "online" | "offline" | "outdated";

/** Why the server rejected this page's connection, with the server's own message. */
export type RejectionReason = Pick<ErrorMessage, "code" | "message">;

/** The connection broke before the answer arrived. */
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
}

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
export type ClientRequest = Without<ClientMessage, "seq">;

interface Pending {
  resolve(ack: Ack): void;
  reject(error: Error): void;
}

export const PROTOCOL_VERSION = 1;
const PING_INTERVAL_MS = 20_000;
const RESPONSE_TIMEOUT_MS = 8_000;
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
  #seq = 0;
  #attempt = 0;
  #pending = new Map<number, Pending>();
  #retry: ReturnType<typeof setTimeout> | undefined;
  #beat: ReturnType<typeof setInterval> | undefined;
  #answer: ReturnType<typeof setTimeout> | undefined;
  #identified = false;
  #welcome = false;
  #full: RejectionReason | null = null;
  #closed = false;

  /**
   * @param url where the server's WebSocket is
   * @param listener receives every message and every change of the connection
   * @param identify gets this browser an identity if it has none
   */
  constructor(
    private readonly url: string,
    private readonly listener: ConnectionListener,
    private readonly identify: () => Promise<void>,
  ) {
    this.#open();
    addEventListener("online", this.#hurry);
    document.addEventListener("visibilitychange", this.#hurry);
  }

  /** Sends a request; resolves with its ack, rejects with `RequestRefusedError` or `ConnectionLostError`. */
  request(message: ClientRequest): Promise<Ack> {
    const socket = this.#socket;
    if (!socket || socket.readyState !== WebSocket.OPEN) return Promise.reject(new ConnectionLostError());
    const seq = ++this.#seq;
    return new Promise((resolve, reject) => {
      this.#pending.set(seq, { resolve, reject });
      socket.send(JSON.stringify({ ...message, seq }));
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
  }

  #open(): void {
    if (this.#closed) return;
    this.listener.status(this.#attempt === 0 ? "connecting" : "offline", this.#full);
    const socket = new WebSocket(this.url);
    this.#socket = socket;
    this.#welcome = false;
    this.#full = null;
    // An attempt without an answer would last for minutes, in silence: until the browser gives it up.
    this.#expectAnswer(socket);
    socket.addEventListener("message", (event) => {
      if (socket === this.#socket) this.#receive(JSON.parse(String(event.data)) as ServerMessage);
    });
    socket.addEventListener("close", () => {
      if (socket === this.#socket) this.#lost();
    });
  }

  #receive(message: ServerMessage): void {
    clearTimeout(this.#answer);
    if (message.type === "error" && !this.#welcome) {
      // The server closes the connection after this.
      this.#full = message;
      return;
    }
    this.#welcome = true;
    if (message.type === "welcome") return void this.#welcomed(message.protocol, message.identity);
    if (message.type === "ack") this.#settle(message.seq)?.resolve(message);
    else if (message.type === "error" && message.seq !== null) {
      this.#settle(message.seq)?.reject(new RequestRefusedError(message));
    }
    this.listener.message(message);
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
        await this.identify();
        this.#identified = true;
      } catch {
        // The next connection tries again.
      }
      socket?.close();
      return;
    }
    if (!known) this.listener.anonymous();
    this.#attempt = 0;
    this.#beat = setInterval(() => this.#ping(), PING_INTERVAL_MS);
    this.listener.status("online", null);
  }

  #ping(): void {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return;
    socket.send(JSON.stringify({ type: "ping", seq: ++this.#seq }));
    // A dead connection does not always close by itself; silence counts as broken.
    this.#expectAnswer(socket);
  }

  /** Gives a connection up unless the server says something in time. */
  #expectAnswer(socket: WebSocket): void {
    clearTimeout(this.#answer);
    this.#answer = setTimeout(() => {
      if (socket !== this.#socket) return;
      this.#lost();
      socket.close();
    }, RESPONSE_TIMEOUT_MS);
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
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const one of pending) one.reject(new ConnectionLostError());
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

  #settle(seq: number): Pending | undefined {
    const pending = this.#pending.get(seq);
    this.#pending.delete(seq);
    return pending;
  }
}
