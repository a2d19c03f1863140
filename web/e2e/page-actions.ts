// Actions of a person at the table, found by the texts of the page, for all tests.
import { test as base, expect, type BrowserContext, type Locator, type Page } from "@playwright/test";
import { reportMotion } from "./motion";
import { Server } from "./server";

export interface Person {
  page: Page;
  /** Console errors and warnings, and errors of the page. */
  consoleProblems: string[];
}

export interface Settings {
  speed?: "calm" | "normal" | "brisk";
  locale?: "de" | "fr" | "it" | "en";
  deck?: "swiss" | "french";
  theme?: "light" | "dark";
  side?: "right" | "left";
  twoTaps?: boolean;
  mode?: "picture" | "text";
  nickname?: string;
  lastCard?: boolean;
}

/**
 * How fast time passes in the page. `hurried`: delays that let people follow are eight times shorter, and
 * nothing is animated. `lifelike`: for tests of these delays and animations.
 */
export type Pace = "hurried" | "lifelike";

const SPEED_UP = 8;
/** Longer waits (ms) are no display times but timeouts, such as that of a silent server; they are kept. */
const NEVER_HURRIED = 5_000;
/** Nor is the time (ms) after which a request counts as late, or a busy machine would make it so. */
const LATE_MS = 1_500;

interface Fixtures {
  /** A running server, shared by all tests of a worker. */
  server: Server;
  /** Opens a page in a separate browser context, as another person would. */
  person: (settings?: Settings, size?: { width: number; height: number }) => Promise<Person>;
  pace: Pace;
}

/** What the browser itself logs when a server is gone; the page cannot prevent it. */
const OFFLINE =
  /WebSocket connection to|ERR_CONNECTION_(REFUSED|RESET|CLOSED)|ERR_EMPTY_RESPONSE|Failed to fetch/;
/** What Playwright logs when it blocks the service worker, as configured. */
const BLOCKED = /^Service Worker registration blocked by Playwright$/;

export const test = base.extend<Fixtures, { house: Server }>({
  house: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const server = new Server();
      await use(server);
      await server.remove();
    },
    { scope: "worker" },
  ],
  server: async ({ house }, use) => {
    await house.start();
    await use(house);
  },
  pace: ["hurried", { option: true }],
  person: async ({ browser, server, pace }, use) => {
    const contexts: BrowserContext[] = [];
    const everybody: Person[] = [];
    await use(async (settings = {}, size = { width: 1280, height: 800 }) => {
      const context = await browser.newContext({
        baseURL: server.url,
        viewport: size,
        hasTouch: size.width < 600,
        locale: "en-GB",
        reducedMotion: pace === "hurried" ? "reduce" : "no-preference",
      });
      contexts.push(context);
      await prepare(context, settings);
      if (pace === "hurried") {
        await hurry(context);
        await reportMotion(context);
      }
      const page = await context.newPage();
      const one = { page, consoleProblems: collectConsoleProblems(page) };
      everybody.push(one);
      return one;
    });
    for (const { consoleProblems } of everybody) expect(consoleProblems).toEqual([]);
    for (const context of contexts) await context.close();
  },
});

export { expect };

/**
 * Short display times and bots without pauses, so that tests take seconds; no card is played
 * automatically.
 */
async function prepare(context: BrowserContext, settings: Settings): Promise<void> {
  const stored = JSON.stringify({ locale: "en", speed: "brisk", lastCard: false, ...settings });
  await context.addInitScript((text) => {
    if (localStorage.getItem("jasstisch.settings") === null) {
      localStorage.setItem("jasstisch.settings", text);
    }
  }, stored);
  await context.route("**/api/tables", async (route) => {
    const table = route.request().postDataJSON() as object;
    await route.continue({ postData: JSON.stringify({ ...table, pause: 0 }) });
  });
}

async function hurry(context: BrowserContext): Promise<void> {
  await context.addInitScript(
    ([haste, never, late]) => {
      const wait = window.setTimeout.bind(window);
      const hurried = (handler: TimerHandler, time = 0, ...rest: unknown[]): number =>
        wait(handler, time < never && time !== late ? time / haste : time, ...rest);
      Object.assign(window, { setTimeout: hurried });
    },
    [SPEED_UP, NEVER_HURRIED, LATE_MS] as const,
  );
}

function collectConsoleProblems(page: Page): string[] {
  const consoleProblems: string[] = [];
  page.on("console", (message) => {
    const serious = message.type() === "error" || message.type() === "warning";
    const known = [OFFLINE, BLOCKED].some((one) => one.test(message.text()));
    if (serious && !known) consoleProblems.push(message.text());
  });
  page.on("pageerror", (error) => consoleProblems.push(String(error)));
  return consoleProblems;
}

/** Chooses a game on the start page. */
export async function chooseGame(page: Page, game: string): Promise<void> {
  await page.goto("/");
  await page.getByRole("radio", { name: new RegExp(`^${game}`) }).check();
  await formShown(page);
}

/** Waits until the form is that of the chosen game, whose options are fetched when its tile is chosen. */
export async function formShown(page: Page): Promise<void> {
  await page.locator("form.setup[aria-busy=false]").waitFor();
}

/**
 * Starts a match of the chosen game against bots, and waits until the page shows the table: the
 * start page stays while the table is created, with buttons of the same names.
 */
export async function playNow(page: Page, by: "click" | "Enter" = "click"): Promise<void> {
  const button = page.getByRole("button", { name: /^(Play now|Jetzt spielen)/ });
  await (by === "click" ? button.click() : button.press("Enter"));
  await tableShown(page);
}

/** Creates a table of the chosen game, and waits until the page shows its lobby. */
export async function openLobby(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Make a table/ }).click();
  await page.locator(".lobby").waitFor();
}

/** Waits until the page shows a table, and not the start page from which it was created. */
export async function tableShown(page: Page): Promise<void> {
  await page.locator(".page-head").waitFor();
}

/** Leaves a running match, and waits until the page shows the start page. */
export async function leaveMatch(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Leave the table" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Leave the table" }).click();
  await startPageShown(page);
}

export async function startPageShown(page: Page): Promise<void> {
  await page.getByRole("radio").first().waitFor({ state: "attached" });
}

/** Makes a table of the chosen game with a guest on another seat, and starts the match. */
export async function startTogether(host: Page, guest: Page, seat: number): Promise<void> {
  await openLobby(host);
  await guest.goto(await host.getByRole("textbox", { name: "Link" }).inputValue());
  await guest.getByRole("button", { name: new RegExp(`^Sit here: .*Seat ${seat}$`) }).click();
  await waitGone(host, `.lobby [data-seat="${seat - 1}"] .open`);
  await host.getByRole("button", { name: "Start the match" }).click();
}

/** Sets a number with the buttons next to it. */
export async function setNumber(page: Page, label: string, value: number): Promise<void> {
  const group = page.getByRole("group", { name: label });
  const shown = async (): Promise<number> => Number(await group.locator("output").innerText());
  const direction = (await shown()) > value ? "less" : "more";
  while ((await shown()) !== value) await group.getByRole("button", { name: direction }).click();
}

export const ownCards = (page: Page): Locator => page.locator("#hand button");
export const playable = (page: Page): Locator => page.getByRole("button", { name: /, playable$/ });

type Moment = "bid" | "choice" | "play" | "round" | "over";

/** How often tests poll the page; polling at every frame would keep it busy drawing. */
export const POLLING = { timeout: 60_000, polling: 25 };

/** Waits until the page needs an action of its reader, and returns which. */
export async function nextDecision(page: Page): Promise<Moment> {
  const handle = await page.waitForFunction(
    () => {
      const text = (selector: string): string =>
        document.querySelector<HTMLElement>(selector)?.innerText ?? "";
      if (text(".end .actions button")) return "over";
      if (text(".sheet button")) return "round";
      if (text("form.bid button.primary")) return "bid";
      if (document.querySelector(".choose button[aria-disabled=false]")) return "choice";
      return document.querySelector("#hand button[aria-disabled=false]") ? "play" : false;
    },
    undefined,
    POLLING,
  );
  return (await handle.jsonValue()) as Moment;
}

/** Waits until no element matches. */
export async function waitGone(page: Page, selector: string): Promise<void> {
  await page.waitForFunction((one) => !document.querySelector(one), selector, POLLING);
}

/** Plays the first legal card with a click, without robbing, and waits until it has left the hand. */
export async function playCard(page: Page): Promise<string> {
  const card = await page.locator("#hand button[aria-disabled=false]").first().getAttribute("data-card");
  if (!card) throw new Error("a playable card without a name");
  // Clicked by its name, because the first card may change before the click.
  const chosen = `#hand button[data-card="${card}"]`;
  // A click right after another card is taken for a double click (src/features/hand/doubleTap.ts).
  await expect(async () => {
    const keep = page.locator(".first .keep");
    if (await keep.count()) await keep.click();
    else if (await page.locator(chosen).count())
      await page.locator(chosen).click({ position: { x: 14, y: 14 }, timeout: 2_000 });
    await expect(page.locator(chosen)).toHaveCount(0, { timeout: 1_000 });
  }).toPass({ intervals: [100], timeout: 60_000 });
  return card;
}

/** Enters a bid in the field and confirms it. */
export async function bid(page: Page, number: number): Promise<void> {
  await page.getByRole("textbox", { name: /^Your bid/ }).fill(String(number));
  await page.getByRole("button", { name: `Bid ${number}` }).click();
  await expect(page.getByRole("button", { name: /^Bid \d/ })).toHaveCount(0);
}

/** Chooses the given action on the panel, or the first one. */
export async function choose(page: Page, action?: string): Promise<void> {
  const wanted = action === undefined ? "" : `[data-choice="${action}"]`;
  await page.locator(`.choose button${wanted}`).first().click();
  await waitGone(page, ".choose button[aria-disabled=false]");
}

/** Repeats an action until the match is over or `enough` says so. */
export async function playUntil(
  page: Page,
  enough: (moment: Moment) => boolean | Promise<boolean> = () => false,
): Promise<void> {
  for (;;) {
    const moment = await nextDecision(page);
    if (moment === "over" || (await enough(moment))) return;
    if (moment === "play") await playCard(page);
    else if (moment === "bid") await bid(page, 40);
    else if (moment === "choice") await choose(page);
    else {
      await page.getByRole("button", { name: "Next round" }).click();
      await waitGone(page, ".sheet button");
    }
  }
}

/** Expects that nothing overflows the page sideways, once what is measured again after a change of size is. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const wide = (): Promise<string[]> =>
    page.evaluate(() => {
      const boxes = [document.documentElement, ...document.querySelectorAll(".content, main, #hand")];
      return boxes
        .filter((box) => box.scrollWidth > box.clientWidth + 1)
        .map((box) => `${box.tagName}.${box.className}: ${box.scrollWidth} > ${box.clientWidth}`);
    });
  await expect.poll(wide).toEqual([]);
}
