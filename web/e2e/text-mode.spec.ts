// Whole matches as with a screen reader: elements are found by role and name, all input is by keyboard.
import type { Page } from "@playwright/test";
import type { CreatedTable } from "../src/api/messages";
import { DESKTOP, expectFitsAndAccessible, PHONE } from "./assertions";
import { openScene } from "./scenes";
import { chooseGame, expect, POLLING, playNow, test } from "./page-actions";

const entry = (page: Page) => page.getByRole("textbox", { name: "Card or command" });
/** How often the log is polled. */
const LOG_POLLING = { intervals: [POLLING.polling] };

const log = (page: Page) => page.getByRole("log", { name: "What happens" });

/** Types a line and sends it. */
async function type(page: Page, text: string): Promise<void> {
  await expect(entry(page)).toBeFocused();
  await page.keyboard.insertText(text);
  await page.keyboard.press("Enter");
}

/** The lines of the log, the oldest first. */
async function lines(page: Page): Promise<string[]> {
  return log(page).getByRole("paragraph").allInnerTexts();
}

/** Performs an action; returns the lines logged since then, once an expected one is among them. */
async function told(page: Page, action: () => Promise<void>, awaited = /./): Promise<string[]> {
  const last = await log(page).getByRole("paragraph").last().elementHandle();
  const later = async (): Promise<string[]> =>
    page.evaluate((line) => {
      const found: string[] = [];
      for (let next = line?.nextElementSibling; next; next = next.nextElementSibling) {
        found.push(next.textContent ?? "");
      }
      return found;
    }, last);
  await action();
  const asExpected = async (): Promise<boolean> => (await later()).some((line) => awaited.test(line));
  await expect.poll(asExpected, { ...LOG_POLLING, message: `told: ${awaited}` }).toBe(true);
  return later();
}

/** Types a line and returns the lines of the answer. */
async function ask(page: Page, text: string): Promise<string[]> {
  return told(page, () => type(page, text));
}

/** The first card or other action that the table lists as possible now. */
async function firstPossible(page: Page): Promise<string> {
  const possible = (await ask(page, "why")).find((line) => line.startsWith("Possible now: "));
  const [first = ""] = (possible ?? "").replace("Possible now: ", "").split(/, | and |\.$/);
  return first;
}

/** The first legal card of the reader. */
async function firstPlayable(page: Page): Promise<string> {
  const hand = page.getByRole("region", { name: "Your cards" });
  return hand.getByRole("button", { disabled: false }).first().innerText();
}

/** The reader's cards by their names. */
async function heldCards(page: Page): Promise<string[]> {
  const [hand = ""] = await ask(page, "hand");
  return hand
    .replace(/^.*?: /, "")
    .replace(/\.$/, "")
    .split(/, | and /);
}

/** Switches a table to text mode with the keyboard. */
async function textMode(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const link = page.getByRole("button", { name: "Text mode" });
  await link.focus();
  await page.keyboard.press("Enter");
  await expect(entry(page)).toBeFocused();
}

type Moment = "over" | "round" | "bid" | "announce" | "play" | "lay" | "doubt";

const ASKED: [RegExp, Moment][] = [
  [/^Your turn: bid/, "bid"],
  [/^Your turn: announce/, "announce"],
  [/^Your turn/, "play"],
  [/^(Choose three cards|Claim a rank)/, "lay"],
  [/^Do you doubt it/, "doubt"],
];

/** Waits until the heading says that the reader must act. */
async function awaited(page: Page): Promise<Moment> {
  const heading = page.getByRole("main").getByRole("heading", { level: 2 }).first();
  const end = Date.now() + POLLING.timeout;
  while (Date.now() < end) {
    const text = await heading.innerText();
    if (text.startsWith("The match is over")) return "over";
    if (/^Round \d+ is over/.test(text)) return "round";
    const found = ASKED.find(([asked]) => asked.test(text));
    if (found) return found[1];
    await page.waitForTimeout(POLLING.polling);
  }
  throw new Error("nothing is wanted of the reader");
}

test("a round of Differenzler with its bid, and the next one", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  await chooseGame(page, "Differenzler");
  await playNow(page, "Enter");
  await textMode(page);

  expect(await awaited(page)).toBe("bid");
  await expectFitsAndAccessible(page);
  const [own = ""] = await heldCards(page);
  expect((await ask(page, own)).join()).toContain("Now you bid");
  expect((await ask(page, "200")).join()).toContain("from 0 to 157");
  await expect(log(page).getByText(/ has bid$/)).toHaveCount(3);
  const calls = (await lines(page)).filter((line) => line === "Your turn");
  expect(calls.length).toBeLessThanOrEqual(1);
  await told(page, () => type(page, "40"), /^You bid 40$/);

  while ((await awaited(page)) === "play") {
    const card = await firstPossible(page);
    await told(page, () => type(page, card), /^You play /);
  }
  await expect(log(page)).toContainText("Round 1 is over");
  await expect(log(page)).toContainText("bid 40");
  await expectFitsAndAccessible(page);
  await type(page, "next");
  await expect.poll(() => awaited(page)).toBe("bid");
});

test("a whole match of Molotow and its rematch", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  await chooseGame(page, "Molotow");
  const rounds = page.getByRole("group", { name: "Rounds" });
  for (let left = 12; left > 1; left -= 1) {
    await rounds.getByRole("button", { name: "less" }).press("Enter");
  }
  await playNow(page, "Enter");
  await textMode(page);
  while ((await awaited(page)) === "play") {
    const card = await firstPlayable(page);
    await told(page, () => type(page, card), /^You play /);
  }
  expect(await awaited(page)).toBe("over");
  await expect(log(page)).toContainText(/wins|You win|share the win/);
  await expect(log(page)).toContainText("Sticks: ");
  await expect(page.getByRole("heading", { name: "All rounds" })).toBeVisible();
  await expectFitsAndAccessible(page);
  await type(page, "rematch");
  await expect.poll(() => awaited(page)).toBe("play");
});

/** Starts a match of Schieber in which the reader is the first to announce. */
async function announceFirst(page: Page): Promise<void> {
  const seats = ["me", "bot:greedy", "bot:greedy", "bot:greedy"];
  const made = await page.request.post("/api/tables", {
    data: { game: "schieber", seats, name: "Anna", pause: 0, options: { dealer: 3 } },
  });
  await page.goto(`/t/${((await made.json()) as CreatedTable).table}`);
  await page.getByRole("button", { name: "Start the match" }).press("Enter");
  await textMode(page);
  expect(await awaited(page)).toBe("announce");
}

test("a round of Schieber is pushed to the partner", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  await announceFirst(page);
  expect((await ask(page, "why")).join()).toMatch(/Possible now: .*Push\.$/);
  await told(page, () => type(page, "push"), /^You: /);
  while ((await awaited(page)) === "play") {
    const card = await firstPlayable(page);
    await told(page, () => type(page, card), /^You play /);
  }
  expect((await ask(page, "score")).join()).toContain("Us: ");
  await type(page, "next");
  await expect.poll(() => awaited(page)).not.toBe("round");
});

test("a trump of Schieber is announced by its name", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  await announceFirst(page);
  await told(page, () => type(page, "hearts"), /^You: .*hearts/i);
  expect(await awaited(page)).toBe("play");
  expect((await ask(page, "trump")).join()).toMatch(/hearts/i);
});

test("a claim of I Doubt It is typed, answered and reported", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  await chooseGame(page, "I Doubt It");
  await playNow(page, "Enter");
  await textMode(page);
  const met = new Set<Moment>();
  while (!(met.has("lay") && met.has("doubt"))) {
    const moment = await awaited(page);
    if (moment === "over" || moment === "round") break;
    met.add(moment);
    if (moment === "doubt") {
      const word = met.has("lay") ? "I doubt it" : "pass";
      await told(page, () => type(page, word), /^You (doubt|pass)/);
    } else {
      const cards = (await heldCards(page)).slice(0, 3);
      expect((await ask(page, `lay ${cards[0]} as jacks`)).join()).toContain("three cards");
      await told(page, () => type(page, `lay ${cards.join(", ")} as jacks`), /^You claim three jacks/);
    }
  }
  expect([...met].sort()).toEqual(["doubt", "lay"]);
  await expectFitsAndAccessible(page);
});

test("an illegal card stays in the hand and is explained", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  const { sent } = await openScene(page, "three_rob");
  await textMode(page);
  const [held = ""] = await ask(page, "hand");
  expect(held).toContain("king of spades");
  const why = "you may follow or trump (hearts)";
  expect((await ask(page, "why")).join()).toMatch(/Not: [^.]*king of spades/);
  expect((await ask(page, "king of spades")).join()).toContain(why);
  expect((await ask(page, "hand"))[0]).toBe(held);
  expect(sent).toEqual([]);
});

test("unknown input is explained, and earlier entries can be recalled", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  await openScene(page, "schieber_play");
  await textMode(page);
  expect((await ask(page, "hnad")).join()).toContain("Do you mean “hand”?");
  expect((await ask(page, "zzzzz")).join()).toContain("“help” tells what there is");
  await page.keyboard.press("ArrowUp");
  await expect(entry(page)).toHaveValue("zzzzz");
  await page.keyboard.press("ArrowUp");
  await expect(entry(page)).toHaveValue("hnad");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(entry(page)).toHaveValue("");
  expect((await ask(page, "help")).length).toBeGreaterThan(10);
  await type(page, "rules");
  await expect(page.getByRole("dialog", { name: /Rules/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await type(page, "picture");
  await expect(entry(page)).toHaveCount(0);
});

test("Weis are announced with the card that is typed, and kept back on request", async ({ person }) => {
  for (const [typed, sent] of [
    ["7D", "play 7D weis"],
    ["7D without weis", "play 7D"],
  ] as const) {
    const { page } = await person({ nickname: "Anna" });
    const stage = await openScene(page, "four_weis");
    await textMode(page);
    expect((await ask(page, "hand")).join(" ")).toMatch(
      /Weis \d+ is announced with your card unless you add/,
    );
    await type(page, typed);
    await expect.poll(() => stage.sent).toEqual([sent]);
  }
});

test("changing the language keeps the text being typed", async ({ person }) => {
  const { page } = await person({ nickname: "Anna", locale: "de" });
  await openScene(page, "four_weis");
  await page.getByRole("button", { name: "Textmodus", exact: true }).press("Enter");
  const line = page.getByRole("textbox", { name: "Karte oder Befehl" });
  await line.fill("hal");
  await page.getByRole("button", { name: "Einstellungen" }).press("Enter");
  await page.getByRole("radio", { name: "Français" }).check();
  await page.keyboard.press("Escape");
  const entree = page.getByRole("textbox", { name: "Carte ou commande" });
  await expect(entree).toHaveValue("hal");
});

test("while disconnected it says so and sends nothing", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  const stage = await openScene(page, "schieber_play");
  await textMode(page);
  const card = await firstPossible(page);
  const heading = page.getByRole("main").getByRole("heading", { level: 2 }).first();
  await expect(heading).toHaveText(/^Your turn/);

  await stage.cut();
  await expect(heading).toHaveText("Reconnecting …");
  for (const text of [card, "turn", "why", "next"]) {
    expect(await ask(page, text)).toEqual(["Reconnecting …"]);
  }
  expect((await ask(page, "hand")).join()).toContain(card);
  await page.getByRole("button", { name: card, exact: true }).press("Enter");
  expect((await lines(page)).at(-1)).toBe("Reconnecting …");
  expect([...stage.sent, ...stage.asked.filter(({ type }) => type !== "ping")]).toEqual([]);

  stage.mend();
  await expect(heading).toHaveText(/^Your turn/);
  await entry(page).focus();
  await type(page, card);
  await expect.poll(() => stage.sent.length).toBe(1);
});

for (const [size, theme, locale] of [
  [PHONE, "light", "de"],
  [DESKTOP, "dark", "fr"],
] as const) {
  test(`axe finds no violations at ${size.width}×${size.height}, ${theme}`, async ({ person }) => {
    const { page } = await person({ nickname: "Anna", theme, locale }, size);
    await openScene(page, "schieber_play");
    await page.getByRole("button", { name: locale === "de" ? "Textmodus" : "Mode texte" }).press("Enter");
    await expect(page.getByRole("textbox")).toBeFocused();
    await expectFitsAndAccessible(page);
  });
}
