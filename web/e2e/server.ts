// A real table server with a data folder of its own; it can be killed and restarted.
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { GameInfo } from "../src/api/messages";

const ROOT = resolve(import.meta.dirname, "../..");
/** Milliseconds until it must answer, and until its bots must be ready. */
const UP_WITHIN = 60_000;
const READY_WITHIN = 150_000;

/** A port that nothing on this machine listens on. */
function freePort(): Promise<number> {
  return new Promise((found, failed) => {
    const probe = createServer().once("error", failed);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => found(port));
    });
  });
}

export class Server {
  /** Chosen at the first start and kept for the later ones; 0 before. */
  #port = 0;
  readonly #data = mkdtempSync(join(tmpdir(), "jasstisch-e2e-"));
  #process: ChildProcess | null = null;
  #log = "";

  /** `more` are environment variables, such as the folder of compiled code. */
  constructor(readonly more: Readonly<Record<string, string>> = {}) {}

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Starts the server on the same data unless it runs; waits until all bots are ready. */
  async start(): Promise<void> {
    await this.open();
    await this.#until(READY_WITHIN, async () => (await this.preparing()).length === 0);
  }

  /** The bots that are not ready yet, one entry per game. */
  async preparing(): Promise<string[]> {
    const games = (await (await fetch(`${this.url}/api/games`)).json()) as GameInfo[];
    return games.flatMap((game) => game.preparing);
  }

  /** Starts the server unless it runs, and waits until it responds; bots may still be warming up. */
  async open(): Promise<void> {
    if (this.#process) return;
    this.#port ||= await freePort();
    const venv = join(ROOT, ".venv/bin/jasstisch");
    const program = existsSync(venv) ? venv : "jasstisch";
    const child = spawn(
      program,
      // One worker process is enough for a table, and starts twice as fast as two.
      ["serve", "--port", String(this.#port), "--data", this.#data, "--thinkers", "1", "--no-open"],
      {
        cwd: ROOT,
        stdio: ["ignore", "pipe", "pipe"],
        env: { ...process.env, ...this.more },
      },
    );
    this.#process = child;
    this.#log = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (text: Buffer) => (this.#log += text.toString()));
    }
    // Checks that this server answers at the address, not another one that has taken the port.
    await this.#until(
      UP_WITHIN,
      async () => this.#log.includes(this.url) && (await fetch(`${this.url}/api/games`)).ok,
    );
  }

  async #until(milliseconds: number, holds: () => Promise<boolean>): Promise<void> {
    const end = Date.now() + milliseconds;
    while (Date.now() < end) {
      if (this.#process?.exitCode !== null) throw new Error(`the server ended:\n${this.#log}`);
      if (await holds().catch(() => false)) return;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error(`the server does not answer, or is not ready:\n${this.#log}`);
  }

  /** Ends the server without a warning, as a crash would. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  async #end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (!child) return;
    if (child.exitCode !== null) throw new Error(`the server had ended by itself:\n${this.#log}`);
    const ended = new Promise((done) => child.once("exit", done));
    child.kill(signal);
    await ended;
  }

  /** Shuts the server down properly, so that no compilation continues, and removes its data. */
  async remove(): Promise<void> {
    await this.#end("SIGTERM");
    rmSync(this.#data, { recursive: true, force: true });
  }
}
