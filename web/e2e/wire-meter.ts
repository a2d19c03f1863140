// A proxy in front of a table server that counts what goes over the wire to the browser: the bodies of
// responses as they are sent, compressed or not, and the messages over the WebSocket. Heads are counted as
// requests, because over HTTP/2 they take a few bytes. It can hold back chosen responses.
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect, type AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

/** What one request brought: a path, and the bytes from the server. */
export interface Exchange {
  path: string;
  bytes: number;
}

export class WireMeter {
  readonly #server: Server;
  readonly #target: URL;
  #exchanges: Exchange[] = [];
  #open = 0;
  readonly #sockets = new Set<Duplex>();
  /** Milliseconds by which the response to a path is held back. */
  delay: (path: string) => number = () => 0;

  constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((asked, answer) => void this.#forward(asked, answer));
    this.#server.on("connection", (socket: Duplex) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
    this.#server.on("upgrade", (asked: IncomingMessage, socket: Duplex) => this.#tunnel(asked, socket));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  start(): Promise<void> {
    return new Promise((done) => this.#server.listen(0, "127.0.0.1", done));
  }

  stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    return new Promise((done) => this.#server.close(() => done()));
  }

  /** Whether a response is still on its way. */
  get busy(): boolean {
    return this.#open > 0;
  }

  /** What has been exchanged since the last call. */
  take(): Exchange[] {
    const taken = this.#exchanges;
    this.#exchanges = [];
    return taken;
  }

  async #forward(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const path = asked.url ?? "/";
    const exchange = { path, bytes: 0 };
    this.#exchanges.push(exchange);
    this.#open += 1;
    await new Promise((done) => setTimeout(done, this.delay(path)));
    const { hostname: host, port } = this.#target;
    const { method, headers } = asked;
    const onward = request({ host, port, path, method, headers }, (response) => {
      response.on("data", (part: Buffer) => (exchange.bytes += part.length));
      answer.writeHead(response.statusCode ?? 502, response.rawHeaders);
      response.pipe(answer);
    });
    answer.on("close", () => (this.#open -= 1));
    onward.on("error", () => answer.destroy());
    asked.pipe(onward);
  }

  #tunnel(asked: IncomingMessage, socket: Duplex): void {
    const exchange = { path: asked.url ?? "/", bytes: 0 };
    this.#exchanges.push(exchange);
    const { hostname, port } = this.#target;
    const onward = connect(Number(port), hostname, () => {
      const lines = [`GET ${exchange.path} HTTP/1.1`];
      for (let i = 0; i < asked.rawHeaders.length; i += 2) {
        lines.push(`${asked.rawHeaders[i]}: ${asked.rawHeaders[i + 1]}`);
      }
      onward.write([...lines, "", ""].join("\r\n"));
      onward.on("data", (part: Buffer) => (exchange.bytes += part.length));
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [onward, socket]) {
      end.on("error", () => {
        onward.destroy();
        socket.destroy();
      });
    }
  }
}
