// Rounds of every game with the keyboard alone: where the focus is, and what a screen reader says.
import type { Page } from "@playwright/test";
import type { ServerMessage } from "../src/api/messages";
import { expect, ownCards, POLLING, playNow, startPageShown, test, waitGone } from "./page-actions";

/** How many frames in a row the focus may be on the body: it is moved in the first one after a change. */
const FRAMES = 4;
/** For how many frames messages to the server are held: a button keeps the focus while its action is on the way. */
const HELD = 12;

/** Notes in the page when the focus has fallen from a table to the body. */
async function watchFocus(page: Page): Promise<void> {
  await page.addInitScript((frames) => {
    const fallen: string[] = [];
    Object.assign(window, { fallen });
    let last = "";
    let since = 0;
    const look = (): void => {
      const active = document.activeElement;
      if (!document.querySelector(".page-head")) last = "";
      else if (active && active !== document.body) {
        last = active.outerHTML.slice(0, 120);
        since = 0;
      } else if (last !== "") {
        since += 1;
        if (since === frames) fallen.push(last);
      }
      requestAnimationFrame(look);
    };
    // From the last element of the page the key leads out of it, before the next press leads to the first one.
    document.addEventListener("keydown", ({ key }) => key === "Tab" && (last = ""), true);
    requestAnimationFrame(look);
  }, FRAMES);
}

const fallen = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { fallen: string[] }).fallen);

interface Heard {
  /** The actions of the table, as the server has told them; `own` are the reader's. */
  acted: { action: string; own: boolean }[];
  /** What was added to live regions, which screen readers say. */
  said: { region: string; text: string }[];
}

/** Keeps in the page what happens at the table and what is said of it; holds what is sent. */
async function listen(page: Page): Promise<void> {
  await page.addInitScript((held) => {
    const heard: Heard = { acted: [], said: [] };
    Object.assign(window, { heard });
    let seat: number | null = null;
    window.WebSocket = class extends WebSocket {
      constructor(...given: ConstructorParameters<typeof WebSocket>) {
        super(...given);
        this.addEventListener("message", ({ data }) => {
          const message = JSON.parse(String(data)) as ServerMessage;
          if (message.type === "snapshot") seat = message.seat;
          if (message.type !== "event" || message.event.kind !== "acted") return;
          const { action, seat: by } = message.event;
          if (action !== null) heard.acted.push({ action, own: by === seat });
        });
      }
      override send(data: string): void {
        let frames = 0;
        const wait = (): void => {
          if (frames++ < held) requestAnimationFrame(wait);
          else super.send(data);
        };
        wait();
      }
    };
    new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes) {
        const near = target instanceof Element ? target : target.parentElement;
        const region = near?.closest("[role=log], [role=status], [role=alert], [aria-live]");
        const parts = type === "characterData" ? [target] : [...addedNodes];
        const text = parts.map((node) => node.textContent?.trim() ?? "").join(" ");
        if (region && text && !near?.closest("[aria-hidden=true]")) {
          heard.said.push({ region: region.role ?? "notes", text });
        }
      }
    }).observe(document, { subtree: true, childList: true, characterData: true });
  }, HELD);
}

/** How an action begins in the log, by the verb that the server has for it. */
const SENTENCES: Record<string, { own: RegExp; other: RegExp }> = {
  play: { own: /^You play /, other: / plays / },
  bid: { own: /^You bid 28$/, other: / has bid$/ },
  lay: { own: /^You claim /, other: / claims / },
  pass: { own: /^You pass/, other: / passes/ },
  doubt: { own: /^You doubt/, other: / doubts it\. Turned up/ },
};

/** Expects every action to have been said once, in the order in which it happened, and by one region. */
async function expectSaidOnce(page: Page): Promise<void> {
  const { acted, said } = await page.evaluate(() => (window as unknown as { heard: Heard }).heard);
  const lines = said.filter(({ region }) => region === "log").map(({ text }) => text);
  const sentences = acted.flatMap(({ action, own }) => {
    const verb = action.split(" ")[0] ?? "";
    const known = SENTENCES[verb];
    return known ? [own ? known.own : known.other] : [];
  });
  const all = Object.values(SENTENCES).flatMap(({ own, other }) => [own, other]);
  const told = lines.filter((line) => all.some((one) => one.test(line)));
  expect(told.map((line, place) => sentences[place]?.test(line) ?? line)).toEqual(sentences.map(() => true));
  expect(sentences.length).toBeGreaterThan(0);
  const elsewhere = said.filter(({ region }) => region !== "log").map(({ text }) => text);
  expect(elsewhere.filter((text) => lines.includes(text))).toEqual([]);
  expect(lines.filter((line, place) => line === lines[place - 1])).toEqual([]);
}

type Step = "bid" | "answer" | "choice" | "play" | "lay" | "round" | "over";

/** Waits until the page asks something of its reader. */
async function nextStep(page: Page): Promise<Step> {
  const handle = await page.waitForFunction(
    () => {
      const there = (selector: string): boolean =>
        document.querySelector(selector)?.checkVisibility() ?? false;
      if (there(".end .actions button")) return "over";
      if (there(".sheet button.primary")) return "round";
      if (there("form.bid button.primary[aria-disabled=false]")) return "bid";
      if (there(".choose button[aria-disabled=false]")) return "choice";
      if (there(":is(.answer, .answers) button[aria-disabled=false]")) return "answer";
      if (there("#hand button[aria-disabled=false]")) return "play";
      const laying = there("#hand button[aria-pressed]") && there(".own [data-mine=true]");
      return laying && !there(".claim, .reveal") ? "lay" : false;
    },
    undefined,
    POLLING,
  );
  return (await handle.jsonValue()) as Step;
}

/** Goes on with Tab to what the selector matches. */
async function tabTo(page: Page, selector: string, key = "Tab"): Promise<void> {
  const isThere = (): Promise<boolean> =>
    page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector);
  for (let steps = 0; !(await isThere()); steps++) {
    if (steps > 60) throw new Error(`no ${selector} within reach of ${key}`);
    await page.keyboard.press(key);
  }
}

/** Does what is asked with the keyboard alone. */
async function act(page: Page, step: Step): Promise<void> {
  const keys = page.keyboard;
  switch (step) {
    case "bid":
      await expect(page.getByRole("textbox", { name: /^Your bid/ })).toBeFocused();
      await keys.type("28");
      await keys.press("Enter");
      return waitGone(page, "form.bid");
    case "choice":
      await tabTo(page, ".choose button");
      await keys.press("Enter");
      return waitGone(page, ".choose button:focus");
    case "answer":
      await tabTo(page, ":is(.answer, .answers) button");
      await keys.press("Enter");
      return waitGone(page, ":is(.answer, .answers) button[aria-disabled=false]");
    case "play": {
      const count = await ownCards(page).count();
      await tabTo(page, "#hand button", "1");
      await keys.press("Home");
      await tabTo(page, "#hand button[aria-disabled=false]", "ArrowRight");
      await keys.press("Enter");
      if (await page.locator(".first .keep").count()) {
        await tabTo(page, ".keep");
        await keys.press("Enter");
      }
      return void (await page.waitForFunction(
        (before) => document.querySelectorAll("#hand button").length !== before,
        count,
        POLLING,
      ));
    }
    case "lay":
      await tabTo(page, "#hand button", "ArrowRight");
      await keys.press("Home");
      // The last three are raised already.
      while (!(await page.locator("form.lay").count())) {
        await keys.press("Space");
        await keys.press("ArrowRight");
      }
      await tabTo(page, "form.lay input");
      await keys.press("Space");
      await tabTo(page, "form.lay button.primary");
      await keys.press("Enter");
      return waitGone(page, "form.lay");
    case "round":
      await expect(page.locator("#round-title")).toBeFocused();
      await tabTo(page, ".sheet button.primary");
      await keys.press("Enter");
      return waitGone(page, ".sheet button.primary");
    case "over":
      await expect(page.locator("#match-title")).toBeFocused();
      await tabTo(page, ".end .actions button.primary");
      await keys.press("Enter");
      return waitGone(page, ".end .actions button.primary");
  }
}

/** The games, each with a match as short as its rules allow, and what a round of it asks of a player. */
const MATCHES: Record<string, { options: Record<string, unknown>; asks: readonly Step[]; end: Step }> = {
  schieber: { options: { rounds: 4 }, asks: ["choice", "play"], end: "round" },
  coiffeur: { options: {}, asks: ["choice", "play"], end: "round" },
  molotov: { options: { target: 1 }, asks: ["play"], end: "over" },
  molotow: { options: { rounds: 1 }, asks: ["play"], end: "over" },
  offenbach: { options: { target: 1 }, asks: ["play"], end: "over" },
  differenzler: { options: { rounds: 4 }, asks: ["bid", "play"], end: "round" },
  jass: { options: {}, asks: ["answer", "play"], end: "round" },
  "i-doubt-it": { options: { rounds: 1, max_turns: 20 }, asks: ["lay", "answer"], end: "over" },
};

for (const [game, { options, asks, end }] of Object.entries(MATCHES)) {
  test(`by keyboard the focus never falls to the body, and by ear nothing is missed: ${game}`, async ({
    person,
  }) => {
    const { page } = await person({ nickname: "Anna" });
    await watchFocus(page);
    await listen(page);
    await page.route("**/api/tables", async (route) => {
      const table = route.request().postDataJSON() as { options: object } | null;
      // The reader is the first to act.
      const chosen = table && { ...table, options: { ...table.options, dealer: 3, ...options } };
      await route.fallback(chosen ? { postData: chosen } : {});
    });
    await page.goto("/");
    await startPageShown(page);
    await page.locator(`input[value="${game}"]`).focus();
    await page.keyboard.press("Space");
    await playNow(page, "Enter");
    await expect(page.locator(":focus")).toHaveCount(1);

    const met = new Set<Step>();
    for (let step = await nextStep(page); step !== end; step = await nextStep(page)) {
      met.add(step);
      await act(page, step);
    }
    expect([...met]).toEqual(expect.arrayContaining([...asks]));
    await expectSaidOnce(page);
    await act(page, end);
    await nextStep(page);
    expect(await fallen(page)).toEqual([]);
  });
}

test("from page to page the focus goes to the heading", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  const heading = page.locator("h1:focus");
  await page.goto("/");
  await startPageShown(page);
  await page.locator('input[value="molotov"]').focus();
  await page.keyboard.press("Space");
  await playNow(page, "Enter");
  await expect(heading).toHaveText("Molotov Jass");
  await page.getByRole("button", { name: "Leave the table" }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Leave the table" }).press("Enter");
  await startPageShown(page);
  await expect(heading).toHaveText("Choose a game");
  await page.getByRole("link", { name: "My matches" }).press("Enter");
  await expect(heading).toHaveText("My matches");
  await page.getByRole("link", { name: "Back to the start page" }).focus();
  await page.goBack();
  await expect(heading).toHaveText("Choose a game");
});
