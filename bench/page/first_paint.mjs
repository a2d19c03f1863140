// Times what a person with a cheap phone waits for: a new profile of Chromium whose processor is slowed down
// four times, over slow lines, beside an empty page in the same run. Needs a set-up clone (`make test` sets it
// up) and writes a section for `bench.figures_page`:
//
//     node bench/page/first_paint.mjs > page.json
//     python -m bench.figures_page page < page.json
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const require = createRequire(join(ROOT, "web/package.json"));
const { chromium } = require("@playwright/test");
const { CHROMIUM } = await import(join(ROOT, "web/e2e/chromium.mjs"));

const REPEATS = 5;
const SLOWDOWN = 4;
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
/** Lines by name: round trip in milliseconds, down and up in kbit/s. */
const LINES = { "slow 4G": [150, 1600, 750], EDGE: [400, 240, 200] };
const EMPTY = "<!doctype html><title>Empty</title><p>Empty.</p>";
/** Cards played on one table, for the delay after a tap. */
const CARDS = 8;

/** Starts a table server; resolves with its address once its bots are ready, and how to stop it. */
async function startServer() {
  const data = mkdtempSync(join(tmpdir(), "jasstisch-bench-"));
  const words = ["-m", "jasstisch", "serve", "--port", "0", "--data", data, "--thinkers", "1", "--no-open"];
  const child = spawn(join(ROOT, ".venv/bin/python"), words, { cwd: ROOT });
  const url = await new Promise((found, failed) => {
    let said = "";
    const read = (text) => {
      said += text;
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
      if (address) found(address);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", () => failed(new Error(`the server ended:\n${said}`)));
  });
  for (let waits = true; waits; ) {
    const games = await (await fetch(`${url}/api/games`)).json();
    waits = games.some((game) => game.preparing.length > 0);
    await new Promise((done) => setTimeout(done, 500));
  }
  const stop = () => {
    child.removeAllListeners("exit");
    child.once("exit", () => rmSync(data, { recursive: true, force: true }));
    child.kill();
  };
  return { url, stop };
}

/** A page of a new profile, slowed down, on a line; without one as fast as the machine allows. */
async function newPage(browser, line, cookies = []) {
  // The line of a service worker would not be slowed down.
  const context = await browser.newContext({ ...PHONE, locale: "de-CH", serviceWorkers: "block" });
  await context.addCookies(cookies);
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  if (line) {
    const [latency, down, up] = LINES[line];
    const throughput = (kilobits) => (kilobits * 1000) / 8;
    await client.send("Network.enable");
    await client.send("Network.emulateNetworkConditions", {
      ...{ offline: false, latency },
      ...{ downloadThroughput: throughput(down), uploadThroughput: throughput(up) },
    });
  }
  await page.addInitScript(() => {
    globalThis.times = { largest: 0, shift: 0, taps: [] };
    const observe = (type, add, more = {}) =>
      new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type, buffered: true, ...more });
    observe("largest-contentful-paint", (entry) => (globalThis.times.largest = entry.startTime));
    observe("layout-shift", (entry) => (globalThis.times.shift += entry.value));
    // Interactions alone: a page that opens under the pointer has events that nobody has caused.
    const tapped = (entry) => entry.interactionId && globalThis.times.taps.push(entry.duration);
    observe("event", tapped, { durationThreshold: 16 });
  });
  return page;
}

const paint = (page) =>
  page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN);
const now = (page) => page.evaluate(() => performance.now());
const times = (page) => page.evaluate(() => globalThis.times);

/** Opens the start page; the milliseconds until something, the largest part, and a game are drawn. */
async function openStart(browser, url, line) {
  const page = await newPage(browser, line);
  await page.goto(url, { waitUntil: "commit" });
  await page.locator(".tile").first().waitFor();
  const game = await now(page);
  await page.waitForTimeout(1_000);
  const { largest, shift } = await times(page);
  const first = await paint(page);
  await page.context().close();
  return { first, largest, game, shift };
}

async function openEmpty(browser, url, line) {
  const page = await newPage(browser, line);
  await page.goto(url);
  await page.waitForTimeout(300);
  const first = await paint(page);
  await page.context().close();
  return { first };
}

/** A running table against bots, as its player, once they have acted: its address and cookies. */
async function runningTable(browser, url, game) {
  const page = await newPage(browser, null);
  await page.goto(url);
  const seats = ["me", "bot:greedy", "bot:greedy", "bot:greedy"];
  const make = async ({ game, seats }) => {
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ game, seats, name: "Anna", pause: 0, start: true });
    return (await (await fetch("/api/tables", { method: "POST", headers, body })).json()).table;
  };
  const table = await page.evaluate(make, { game, seats });
  // Until somebody has acted, a page that is opened shows the draw for the dealer first (C5).
  await page.waitForTimeout(2_000);
  const cookies = await page.context().cookies();
  await page.context().close();
  return { address: `${url}/t/${table}`, cookies };
}

/** Opens the link to a running table; the milliseconds until the first card of the hand is drawn. */
async function openTable(browser, url, line) {
  const { address, cookies } = await runningTable(browser, url, "differenzler");
  const page = await newPage(browser, line, cookies);
  await page.goto(address, { waitUntil: "commit" });
  await page.locator("#hand button").first().waitFor();
  const card = await now(page);
  const first = await paint(page);
  await page.context().close();
  return { first, card };
}

/** The longest delay between a tap on a card and the next paint, over a round. */
async function tapCards(browser, url) {
  const { address, cookies } = await runningTable(browser, url, "molotow");
  const page = await newPage(browser, null, cookies);
  await page.goto(address);
  const playable = page.locator("#hand button:not([aria-disabled='true']):not(:disabled)").first();
  for (let card = 0; card < CARDS; card++) {
    await page.locator(".own .turn[data-mine='true']").waitFor();
    await playable.tap();
    await page.waitForTimeout(300);
  }
  const { taps } = await times(page);
  await page.context().close();
  return { tap: Math.max(...taps) };
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

async function repeat(measure) {
  const runs = [];
  for (let index = 0; index < REPEATS; index++) runs.push(await measure());
  return Object.fromEntries(Object.keys(runs[0]).map((key) => [key, runs.map((run) => run[key])]));
}

const seconds = (values) => (median(values) / 1000).toFixed(2);
const spread = (values) =>
  `${(Math.min(...values) / 1000).toFixed(2)} – ${(Math.max(...values) / 1000).toFixed(2)}`;
const bar = (values, most) => {
  if (most === null) return "";
  return `≤ ${most}: ${median(values) / 1000 <= most ? "met" : "**not met**"}`;
};

const server = await startServer();
const empty = createServer((_, response) => response.setHeader("Content-Type", "text/html").end(EMPTY));
await new Promise((done) => empty.listen(0, "127.0.0.1", done));
const emptyUrl = `http://127.0.0.1:${empty.address().port}/`;
const browser = await chromium.launch(CHROMIUM);
const rows = [];
const row = (line, what, values, most = null) =>
  rows.push([line, what, seconds(values), spread(values), bar(values, most)]);
try {
  for (const line of Object.keys(LINES)) {
    const fast = line === "slow 4G";
    const blank = await repeat(() => openEmpty(browser, emptyUrl, line));
    row(line, "an empty page: first paint", blank.first);
    const start = await repeat(() => openStart(browser, server.url, line));
    row(line, "start page: first paint", start.first, fast ? 0.9 : null);
    row(line, "start page: largest paint", start.largest, fast ? 1.5 : null);
    row(line, "start page: a game can be chosen", start.game);
    const table = await repeat(() => openTable(browser, server.url, line));
    row(line, "link to a running table: first paint", table.first);
    row(line, "link to a running table: first card", table.card, fast ? 2 : 6.5);
  }
  const { tap } = await repeat(() => tapCards(browser, server.url));
  row("none", "tap on a card: the next paint, the slowest of a round", tap, 0.15);
} finally {
  await browser.close();
  empty.close();
  server.stop();
}
const notes = [
  `Seconds; the median, the smallest and the largest of ${REPEATS} runs, each with a new profile at 360×740, a processor ` +
    `slowed down ${SLOWDOWN} times and no service worker. Slow 4G: 150 ms and 1.6 Mbit/s; EDGE: 400 ms and 240 kbit/s. ` +
    "Chromium does not slow down the messages of WebSockets.",
];
const command = "node bench/page/first_paint.mjs";
console.log(JSON.stringify({ command, columns: ["line", "what", "median", "spread", "bar"], rows, notes }));
