// node scripts/fair-deals/device.mjs [--browser]
//
// Runs device.ts: reads a command a line from standard input, and answers each with a line. `--browser` runs it in
// Chromium, where a reload is one. The command `edit` changes the source of the device: with `old` in place of `new` in
// a file of one of FOLDERS; without a file it is as it was.
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runInThisContext } from "node:vm";
import { chromium } from "@playwright/test";
import { build } from "vite";

const FOLDERS = ["fairness", "witness"].map((name) => `/src/features/${name}/`);
const ENTRY = fileURLToPath(new URL("device.ts", import.meta.url));

const { values } = parseArgs({ options: { browser: { type: "boolean", default: false } } });
const run = values.browser ? await chromiumPage() : inThisProcess;

let handle = await run(await bundle({}));
for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  if (command.do === "edit") handle = await run(await bundle(command));
  const answer = command.do === "edit" ? {} : await answerTo(command);
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
process.exit(0);

async function answerTo(command) {
  try {
    return await handle(command);
  } catch (error) {
    return { error: String(error) };
  }
}

/** The device as one script that defines `device`, with a change to one of its sources. */
async function bundle(edit) {
  const [{ output }] = await build({
    configFile: false,
    logLevel: "error",
    plugins: [edited(edit)],
    build: { lib: { entry: ENTRY, formats: ["iife"], name: "device" }, write: false, minify: false },
  });
  return output[0].code;
}

function edited({ file, old, new: changed }) {
  return {
    name: "edited",
    enforce: "pre",
    transform(code, id) {
      if (!file || !FOLDERS.some((folder) => id.endsWith(folder + file))) return null;
      if (code.split(old).length !== 2) throw new Error(`${file} has not once: ${old}`);
      return code.replace(old, () => changed);
    },
  };
}

function inThisProcess(script) {
  const stored = new Map();
  const value = {
    clear: () => stored.clear(),
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, text) => stored.set(key, text),
  };
  Object.defineProperty(globalThis, "sessionStorage", { value, configurable: true });
  runInThisContext(script);
  return (command) => globalThis.device.handle(command);
}

/** Runs scripts in a page of Chromium. */
async function chromiumPage() {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM });
  const page = await browser.newPage();
  await page.route("**/*", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html>" }));
  let script = "";
  const load = async () => {
    await page.goto("http://localhost/");
    await page.addScriptTag({ content: script });
  };
  return async (text) => {
    script = text;
    await load();
    return async (command) => {
      if (command.do === "reload") await load();
      return page.evaluate((given) => globalThis.device.handle(given), command);
    };
  };
}
