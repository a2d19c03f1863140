// A real table server for one test, in a folder of its own; it can be killed and started again.
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");
const PORTS = { first: 18_200, last: 18_299 };
const UP_WITHIN = 30_000;

let nextPort = PORTS.first + (process.pid % 50);

export class Server {
  readonly port: number;
  readonly url: string;
  readonly #data = mkdtempSync(join(tmpdir(), "jasstisch-e2e-"));
  #process: ChildProcess | null = null;
  #log = "";

  constructor() {
    this.port = nextPort;
    nextPort = nextPort === PORTS.last ? PORTS.first : nextPort + 1;
    this.url = `http://127.0.0.1:${this.port}`;
  }

  /** Starts the server, on the same data as before, and waits until it answers. */
  async start(): Promise<void> {
    const venv = join(ROOT, ".venv/bin/jasstisch");
    const program = existsSync(venv) ? venv : "jasstisch";
    const child = spawn(
      program,
      ["serve", "--port", String(this.port), "--data", this.#data, "--no-open"],
      { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] },
    );
    this.#process = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (text: Buffer) => (this.#log += text.toString()));
    }
    const end = Date.now() + UP_WITHIN;
    while (Date.now() < end) {
      if (child.exitCode !== null) throw new Error(`the server ended:\n${this.#log}`);
      try {
        if ((await fetch(`${this.url}/api/games`)).ok) return;
      } catch {
        // Not up yet.
      }
      await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error(`the server does not answer:\n${this.#log}`);
  }

  /** Ends the server without a warning, as a crash would. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((done) => child.once("exit", done));
    child.kill("SIGKILL");
    await ended;
    this.#process = null;
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.#data, { recursive: true, force: true });
  }
}
