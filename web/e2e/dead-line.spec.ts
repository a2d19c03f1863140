// A line that is dead but open: nothing arrives, and nothing says so. The reader is soon told that what they did
// is still being sent, and it happens once, whether it was the request that was lost or its answer.
import type { Locator, Page } from "@playwright/test";
import type { CreatedTable } from "../src/api/messages";
import { PHONE } from "./assertions";
import { Line, type Dead } from "./line";
import { openScene } from "./scenes";
import { expect, expectNoOverflow, nextDecision, ownCards, playable, test } from "./page-actions";

const SENDING = "Being sent …";

/** Requests are late after this time (ms), and after that one the line counts as broken. */
const [LATE, BROKEN] = [1_500, 4_000];

/** Opens a table with bots; the page's time is the test's to move. */
async function open(page: Page, game: string, more: object = {}): Promise<Line> {
  const seats = ["me", "bot:greedy", "bot:greedy", "bot:greedy"];
  const data = { game, seats, name: "Anna", pause: 0, start: true, ...more };
  const made = await page.request.post("/api/tables", { data });
  const line = await Line.of(page);
  await page.clock.install();
  await page.goto(`/t/${((await made.json()) as CreatedTable).table}`);
  return line;
}

/** From now on the page's time passes only as the test moves it, so that no machine is too slow. */
async function stopTime(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 2_000);
}

/** The line dies and the reader acts; `told` says that it is being sent, until the page has another line. */
async function actOnDeadLine(line: Line, dead: Dead, act: () => Promise<void>, told: Locator): Promise<void> {
  const { clock } = told.page();
  const telling = told.filter({ hasText: SENDING });
  const before = line.connections;
  await stopTime(told.page());
  line.die(dead);
  await act();
  await clock.fastForward(LATE - 100);
  await expect(telling).toHaveCount(0);
  await clock.fastForward(200);
  await expect(telling).toBeVisible();
  await clock.fastForward(BROKEN - LATE);
  await clock.resume();
  await expect.poll(() => line.connections).toBeGreaterThan(before);
  await expect(telling).toHaveCount(0);
}

const status = (page: Page): Locator => page.locator(".own .turn");
const toast = (page: Page): Locator => page.locator(".toast");
const tap = (card: Locator): Promise<void> => card.click({ position: { x: 14, y: 14 } });

/** The reader's actions that have reached the table. */
const actions = (line: Line): (string | null)[] =>
  line.happened("acted").flatMap(({ seat, action }) => (seat === 0 ? [action] : []));

for (const dead of ["both ways", "from the server"] as const) {
  test(`a card on a line dead ${dead} is played once`, async ({ person }) => {
    const { page } = await person({ nickname: "Anna" }, PHONE);
    const line = await open(page, "molotov");
    await nextDecision(page);
    const held = await ownCards(page).count();
    const name = await playable(page).first().getAttribute("data-card");
    await actOnDeadLine(line, dead, () => tap(playable(page).first()), status(page));
    await expect(ownCards(page)).toHaveCount(held - 1);
    await expect(page.getByRole("log")).toContainText(SENDING);
    await line.deliverLate();
    expect(actions(line)).toEqual([`play ${name}`]);
    await expect(toast(page)).toHaveCount(0);
  });

  test(`a remark and a decision of the host on a line dead ${dead} arrive once`, async ({ person }) => {
    const { page } = await person({ nickname: "Anna" }, PHONE);
    const line = await open(page, "molotov", { seats: ["me", "open", "open", "open"], start: false });
    await page.getByRole("button", { name: "Manage the table" }).click();
    const panel = page.getByRole("dialog", { name: "Manage the table" });
    const decide = () => panel.locator("label", { hasText: "own words" }).click();
    await actOnDeadLine(line, dead, decide, toast(page));
    await expect(panel.getByRole("radio", { name: "own words" })).toBeChecked();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Say something" }).click();
    await page.getByRole("textbox", { name: "own words" }).fill("Hello there");
    await actOnDeadLine(line, dead, () => page.keyboard.press("Enter"), toast(page));
    await line.deliverLate();
    await expect.poll(() => line.happened("wrote").map(({ words }) => words)).toEqual(["Hello there"]);
    expect(line.happened("writing")).toHaveLength(1);
    await page.getByRole("button", { name: "Say something" }).click();
    await expect(page.getByRole("textbox", { name: "own words" })).toHaveValue("");
  });
}

test("a bid whose request is lost is made once, in pictures and in words", async ({ person }) => {
  for (const mode of ["picture", "text"] as const) {
    const { page } = await person({ nickname: "Anna", mode }, PHONE);
    const line = await open(page, "differenzler");
    const field = page.getByRole("textbox", { name: mode === "text" ? "Card or command" : /^Your bid/ });
    const told = mode === "text" ? page.locator("h2[data-mine=true]") : status(page);
    await expect(told).toHaveText(/bid/i);
    await field.fill("28");
    await actOnDeadLine(line, "both ways", () => field.press("Enter"), told);
    await expect.poll(() => actions(line)).toEqual(["bid 28"]);
    await line.deliverLate();
    expect(actions(line)).toEqual(["bid 28"]);
    if (mode === "text") {
      const log = page.getByRole("log", { name: "What happens" });
      await expect(log.getByText(SENDING)).toHaveCount(1);
      await expect(log.getByText(/^You bid 28/)).toHaveCount(1);
    }
  }
});

test("who waits in vain is told, and the turn is theirs again", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" }, PHONE);
  const line = await open(page, "schieber", { options: { dealer: 3 } });
  await page.locator('.choose button[data-choice="trump H"]').waitFor();
  await stopTime(page);
  line.dieForGood();
  await page.locator('.choose button[data-choice="trump H"]').click();
  await page.clock.fastForward(LATE + 100);
  await expect(status(page)).toHaveText(SENDING);
  await page.clock.fastForward(BROKEN);
  await expect(status(page)).toHaveText("Reconnecting …");
  await page.clock.fastForward(15_000);
  await expect(toast(page)).toContainText("The connection broke before this arrived.");
  line.mend();
  await page.clock.resume();
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await expect(page.locator('.choose button[data-choice="trump H"]')).toBeEnabled();
  expect(actions(line)).toEqual([]);
});

test("that a card is being sent fits a narrow phone in every language", async ({ person }) => {
  const texts = { de: "Wird gesendet …", fr: "Envoi en cours…", it: "Invio in corso…", en: SENDING };
  for (const locale of ["de", "fr", "it", "en"] as const) {
    const { page } = await person({ locale }, { width: 320, height: 568 });
    await page.clock.install();
    const stage = await openScene(page, "schieber_play", undefined, { room: { thinking_time: 30 } });
    await expect(status(page)).toHaveAttribute("data-mine", "true");
    await stopTime(page);
    stage.hush();
    await tap(page.locator("#hand button[aria-disabled=false]").first());
    await page.clock.fastForward(LATE + 100);
    await expect(status(page)).toHaveText(texts[locale]);
    await expectNoOverflow(page);
    await page.close();
  }
});
