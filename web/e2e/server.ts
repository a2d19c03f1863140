// A real table server for one test, in a folder of its own; it can be killed and started again.
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");
/** Milliseconds until it must answer; a machine without compiled computer players compiles first. */
const UP_WITHIN = 150_000;

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

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Starts the server, on the same data as before, and waits until it answers. */
  async start(): Promise<void> {
    this.#port ||= await freePort();
    const venv = join(ROOT, ".venv/bin/jasstisch");
    const program = existsSync(venv) ? venv : "jasstisch";
    const child = spawn(
      program,
      // One process that thinks is enough for a table, and starts in half the time of two.
      ["serve", "--port", String(this.#port), "--data", this.#data, "--thinkers", "1", "--no-open"],
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
