// Pauses of three seconds before each move of a bot, skipped by the only person at the table;
// and the trick that ends a round.
import type { Page } from "@playwright/test";
import type { CreatedTable } from "../src/api/messages";
import { fastForward } from "./fast-forward";
import { nextDecision, expect, playCard, test } from "./page-actions";

/** Opens a table at which the reader leads, with bots that pause for the maximum time. */
async function openTable(page: Page, game: string, pause = 3000): Promise<void> {
  const seats = ["me", "bot:greedy", "bot:greedy", "bot:greedy"];
  const made = await page.request.post("/api/tables", {
    data: { game, seats, name: "Anna", pause, start: true, options: { dealer: 3 } },
  });
  const { table } = (await made.json()) as CreatedTable;
  await page.goto(`/t/${table}`);
}

const mat = (page: Page) => page.locator(".mat");
const cards = (page: Page) => page.locator(".trick li");

/** Repeats an action until it is the reader's turn; returns the milliseconds that took. */
async function untilTurn(page: Page, hurry: () => Promise<void>): Promise<number> {
  const since = Date.now();
  const turn = page.locator("#hand .open, .sheet button").first();
  while (!(await turn.isVisible())) {
    await hurry();
    await page.waitForTimeout(100);
  }
  return Date.now() - since;
}

for (const [how, hurry] of [
  ["a tap on the mat", (page: Page) => mat(page).click({ position: { x: 12, y: 200 } })],
  ["Escape", (page: Page) => page.keyboard.press("Escape")],
] as const) {
  test(`${how} makes the bots play at once`, async ({ person }) => {
    const { page } = await person();
    await openTable(page, "molotov");
    await playCard(page);
    // Without skipping, the other three cards of a trick take nine seconds.
    expect(await untilTurn(page, () => hurry(page))).toBeLessThan(6000);
  });
}

test("in text mode a command skips the pause", async ({ person }) => {
  const { page } = await person();
  await openTable(page, "molotov");
  await page.evaluate(() => {
    const stored = JSON.parse(localStorage.getItem("jasstisch.settings") ?? "{}") as object;
    localStorage.setItem("jasstisch.settings", JSON.stringify({ ...stored, mode: "text" }));
  });
  await page.reload();
  const hand = page.getByRole("region", { name: "Your cards" });
  const entry = page.getByRole("textbox", { name: "Card or command" });
  const turn = page.locator("[data-mine=true]");
  await hand.getByRole("button", { disabled: false }).first().click();
  await expect(turn).toHaveCount(0);
  const since = Date.now();
  while ((await turn.count()) === 0) {
    await entry.fill("next");
    await entry.press("Enter");
    await page.waitForTimeout(100);
  }
  expect(Date.now() - since).toBeLessThan(6000);
});

test("a player who dropped out can skip to the end of the round", async ({ person }) => {
  const { page } = await person();
  await openTable(page, "jass");
  const skip = page.getByRole("button", { name: "Skip to the end of the round" });
  const next = page.getByRole("button", { name: "Next round" });
  const drop = page.locator("[data-answer=drop]");
  for (;;) {
    await expect(drop.or(next)).toBeVisible();
    if (await drop.isVisible()) await drop.click();
    await expect(skip.or(next)).toBeVisible();
    const since = Date.now();
    if (await skip.isVisible()) {
      await skip.click();
      await expect(next).toBeVisible();
      // Twenty-seven cards, which would take over three seconds each.
      expect(Date.now() - since).toBeLessThan(15_000);
      return;
    }
    // All but one player dropped, so the round ended before its first card.
    await next.click();
  }
});

test.describe("the trick that ends a round", () => {
  test.use({ pace: "lifelike" });

  test("lies there with the card that wins it, until a tap", async ({ person }) => {
    const { page } = await person({ speed: "calm" });
    await openTable(page, "molotov", 0);
    await fastForward([page], { cards: 1 });
    expect(await nextDecision(page)).toBe("play");
    await page.locator("#hand .open").click();
    await expect(cards(page)).toHaveCount(4);
    await expect(page.locator(".trick .won")).toBeVisible();
    await expect(page.locator(".sheet")).toHaveCount(0);
    await mat(page).click({ position: { x: 12, y: 200 } });
    await expect(page.locator(".sheet")).toBeVisible({ timeout: 1500 });
  });

  test("lies there for about two seconds where nobody taps", async ({ person }) => {
    const { page } = await person({ speed: "normal" });
    await openTable(page, "molotov", 0);
    await fastForward([page], { cards: 1 });
    await page.locator("#hand .open").click();
    await expect(page.locator(".trick .won")).toBeVisible();
    const since = Date.now();
    await expect(page.locator(".sheet")).toBeVisible();
    expect(Date.now() - since).toBeGreaterThan(1200);
  });
});
