// The line between a page and the server, which can go dead without closing: what is sent then arrives never,
// or late.
import { expect, type Page, type WebSocketRoute } from "@playwright/test";
import type { Event, ServerMessage } from "../src/api/messages";

/** Which way a dead line still delivers. */
export type Dead = "both ways" | "from the server";

interface Socket {
  server: WebSocketRoute;
  dead: Dead | null;
  /** What the page has sent since then. */
  held: string[];
}

export class Line {
  readonly #sockets: Socket[] = [];
  /** Whether new connections are dead too. */
  #dead: Dead | null = null;
  readonly #said: ServerMessage[] = [];

  /** The line of a page, before it opens a table. */
  static async of(page: Page): Promise<Line> {
    const line = new Line();
    await page.routeWebSocket(/\/ws$/, (route) => line.#connect(route));
    return line;
  }

  #connect(route: WebSocketRoute): void {
    const socket: Socket = { server: route.connectToServer(), dead: this.#dead, held: [] };
    this.#sockets.push(socket);
    route.onMessage((text) => {
      if (socket.dead === "both ways") socket.held.push(String(text));
      else socket.server.send(text);
    });
    socket.server.onMessage((text) => {
      this.#said.push(JSON.parse(String(text)) as ServerMessage);
      if (socket.dead === null) route.send(text);
    });
    // On a dead line the server does not notice that the page has gone.
    route.onClose(() => socket.dead === null && void socket.server.close());
  }

  /** The connection of now goes dead; a new one will not be. */
  die(dead: Dead): void {
    const socket = this.#sockets.at(-1);
    if (socket) socket.dead = dead;
  }

  /** The connection of now goes dead, and so does every new one until the line is mended. */
  dieForGood(): void {
    this.#dead = "both ways";
    this.die("both ways");
  }

  mend(): void {
    this.#dead = null;
  }

  /** Delivers what the page had sent over dead connections, and waits until the server has refused it. */
  async deliverLate(): Promise<void> {
    const before = this.#refusals;
    const held = this.#sockets.flatMap(({ server, held }) =>
      held.splice(0).map((text) => ({ server, text })),
    );
    for (const { server, text } of held) server.send(text);
    await expect.poll(() => this.#refusals - before).toBe(held.length);
  }

  get #refusals(): number {
    return this.#said.filter((one) => one.type === "error" && one.code === "wrong_phase").length;
  }

  /** How many connections the page has opened. */
  get connections(): number {
    return this.#sockets.length;
  }

  /** The events of a kind that have happened at the table. */
  happened(kind: Event["event"]["kind"]): Event["event"][] {
    const events = this.#said.filter((one) => one.type === "event");
    const byVersion = new Map(events.map((one) => [one.version, one.event]));
    return [...byVersion.values()].filter((event) => event.kind === kind);
  }
}
