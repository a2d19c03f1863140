// The WebSocket of a table that app/preload.ts opens before any script has come, and that Connection takes
// over. It follows the table, so that what a game needs is known and fetched while scripts are on their way.
import type { ClientMessage, ServerMessage } from "./messages";
import { IDENTITY_PATH } from "./paths";

export const PROTOCOL_VERSION = 1;

export interface EarlySocket {
  table: string;
  key: string | null;
  socket: WebSocket;
  /** Names the session of the protocol, which the requests of later connections belong to as well. */
  session: string;
  /** Whether `watch` was sent, with the sequence number 1. */
  watches: boolean;
  /** What the server has said, oldest first. */
  received: string[];
  /** Hears the server until the socket is taken over. */
  listener: (event: MessageEvent) => void;
  /** Settled when this browser has an identity; null if it did not need one. */
  identity: Promise<void> | null;
}

declare global {
  var earlySocket: EarlySocket | null | undefined;
}

/** The address of the server's WebSocket. */
export function socketUrl(): string {
  return `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/ws`;
}

/** A random text that no other page has. */
export function newSession(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function createIdentity(): Promise<void> {
  const { ok, status } = await fetch(IDENTITY_PATH, { method: "POST" });
  if (!ok) throw new Error(`status ${status}`);
}

function watch(early: EarlySocket): void {
  const { table, key, session } = early;
  const request: ClientMessage = { type: "watch", table, since: null, seat: null, key, session, seq: 1 };
  early.socket.send(JSON.stringify(request));
  early.watches = true;
}

/** Opens the socket of a table; `known` is called with the game once that is known. */
export function openEarlySocket(table: string, key: string | null, known: (game: string) => void): void {
  const socket = new WebSocket(socketUrl());
  const identity = globalThis.earlySocket?.identity ?? null;
  const listener = ({ data }: MessageEvent): void => {
    early.received.push(String(data));
    const message = JSON.parse(String(data)) as ServerMessage;
    if (message.type === "snapshot") known(message.room.game);
    else if (message.type === "welcome" && message.protocol === PROTOCOL_VERSION) {
      if (message.identity) watch(early);
      else if (!early.identity) identify(early, known);
    }
  };
  const session = newSession();
  const early: EarlySocket = {
    table,
    key,
    socket,
    session,
    watches: false,
    received: [],
    listener,
    identity,
  };
  socket.addEventListener("message", listener);
  globalThis.earlySocket = early;
}

/** Creates an identity, and opens the socket again with it. */
function identify(early: EarlySocket, known: (game: string) => void): void {
  early.identity = createIdentity();
  const again = (): void => {
    if (globalThis.earlySocket !== early) return;
    early.socket.close();
    openEarlySocket(early.table, early.key, known);
  };
  early.identity.then(again, () => undefined);
}

/** The socket that was opened for a table, once; null if there is none that is open or being opened. */
export function takeEarlySocket(table: string, key: string | null): EarlySocket | null {
  const early = globalThis.earlySocket;
  globalThis.earlySocket = null;
  if (!early) return null;
  early.socket.removeEventListener("message", early.listener);
  const usable = early.socket.readyState <= WebSocket.OPEN && early.table === table && early.key === key;
  if (usable) return early;
  early.socket.close();
  return null;
}
