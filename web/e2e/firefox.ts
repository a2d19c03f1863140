// The system's Firefox, driven by WebDriver BiDi, which it speaks itself: Playwright drives only builds of
// its own.
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { tmpdir } from "node:os";

const NAMES = ["firefox", "firefox-esr"];
/** Milliseconds within which Firefox must have started. */
const UP_WITHIN = 60_000;
/** The code points of keys without a character (WebDriver, keyboard actions). */
const KEYS: Record<string, string> = { Tab: "\uE004", Enter: "\uE007", Escape: "\uE00C" };

/** The path of the system's Firefox; null if it has none. */
export function findFirefox(): string | null {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find((path) => existsSync(path)) ?? null;
}

interface Answer {
  id?: number;
  type: string;
  method?: string;
  message?: string;
  result?: unknown;
  params?: { level?: string; text?: string | null };
}

export class Firefox {
  /** Errors of the page and its console. */
  readonly problems: string[] = [];
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #context = "";
  #count = 0;

  private constructor(child: ChildProcess, profile: string, socket: WebSocket) {
    this.#process = child;
    this.#profile = profile;
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#hear(JSON.parse(String(data)) as Answer));
  }

  static async start(path: string): Promise<Firefox> {
    const profile = mkdtempSync(join(tmpdir(), "jasstisch-firefox-"));
    const options = ["--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", profile];
    const child = spawn(path, options, { stdio: ["ignore", "ignore", "pipe"] });
    const address = await new Promise<string>((found, failed) => {
      let log = "";
      const end = setTimeout(() => failed(new Error(`Firefox does not start:\n${log}`)), UP_WITHIN);
      child.stderr.on("data", (text) => {
        log += String(text);
        const listening = /WebDriver BiDi listening on (ws:\S+)/.exec(log)?.[1];
        if (!listening) return;
        clearTimeout(end);
        found(listening);
      });
    });
    const socket = new WebSocket(`${address}/session`);
    await new Promise((open, failed) => {
      socket.addEventListener("open", open);
      socket.addEventListener("error", failed);
    });
    const firefox = new Firefox(child, profile, socket);
    await firefox.#send("session.new", { capabilities: {} });
    await firefox.#send("session.subscribe", { events: ["log.entryAdded"] });
    const made = (await firefox.#send("browsingContext.create", { type: "tab" })) as { context: string };
    firefox.#context = made.context;
    return firefox;
  }

  async open(url: string): Promise<void> {
    await this.#send("browsingContext.navigate", { context: this.#context, url, wait: "complete" });
  }

  /** The value of an expression in the page. */
  async evaluate(expression: string): Promise<unknown> {
    const target = { context: this.#context };
    const given = { expression, target, awaitPromise: true, userActivation: true };
    const answer = (await this.#send("script.evaluate", given)) as { result?: { value?: unknown } };
    return answer.result?.value;
  }

  async press(key: string): Promise<void> {
    const value = KEYS[key] ?? key;
    const actions = [
      { type: "keyDown", value },
      { type: "keyUp", value },
    ];
    const source = { type: "key", id: "keyboard", actions };
    await this.#send("input.performActions", { context: this.#context, actions: [source] });
  }

  async close(): Promise<void> {
    const ended = new Promise((done) => this.#process.once("exit", done));
    await this.#send("browser.close", {}).catch(() => this.#process.kill());
    await ended;
    rmSync(this.#profile, { recursive: true, force: true });
  }

  async #send(method: string, params: object): Promise<unknown> {
    const id = ++this.#count;
    const answered = new Promise<Answer>((done) => this.#waiting.set(id, done));
    this.#socket.send(JSON.stringify({ id, method, params }));
    const answer = await answered;
    if (answer.type === "error") throw new Error(`${method}: ${answer.message}`);
    return answer.result;
  }

  #hear(answer: Answer): void {
    if (answer.id !== undefined) this.#waiting.get(answer.id)?.(answer);
    const { level, text } = answer.params ?? {};
    if (answer.method === "log.entryAdded" && level === "error") this.problems.push(String(text));
  }
}
