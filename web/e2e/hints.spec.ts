// Hints at the table, and the choice of computer players, against a real server.
import type { Page } from "@playwright/test";
import type { ClientMessage } from "../src/api/messages";
import { DESKTOP, expectFitsAndAccessible, PHONE } from "./assertions";
import { chooseGame, expect, expectNoOverflow, playable, playNow, test } from "./page-actions";

const ask = (page: Page) => page.locator(".hint button");
const told = (page: Page) => page.locator(".hint .words p");
const suggested = (page: Page) => page.locator("[data-suggested]");

/** A table with hints, at the reader's first turn. */
async function withHints(page: Page, game: string): Promise<void> {
  await chooseGame(page, game);
  await page.getByRole("checkbox").check();
  await page.locator(".setup .button.primary").click();
  await expect(ask(page)).toBeEnabled({ timeout: 60_000 });
}

test("a hint names and marks an action with its reason, and closes after it", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" }, PHONE);
  await withHints(page, "Molotov Jass");
  await expect(suggested(page)).toHaveCount(0);
  await ask(page).click();
  await expect(told(page)).toContainText(/^My tip:.+/);
  await expect(suggested(page)).toHaveCount(1);
  await expect(suggested(page)).toHaveAccessibleName(/playable, the coach’s tip$/);
  await expectFitsAndAccessible(page);
  await suggested(page).click({ position: { x: 12, y: 12 } });
  await expect(told(page)).toHaveCount(0);
  await expect(suggested(page)).toHaveCount(0);
});

test("hints suggest a bid and then cards", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" }, DESKTOP);
  await withHints(page, "Differenzler");
  await ask(page).click();
  await expect(told(page)).toContainText(/^My tip: \d+/);
  const bid = /^My tip: (\d+)/.exec(await told(page).innerText())?.[1];
  await page.getByRole("textbox", { name: /^Your bid/ }).fill(bid ?? "");
  await page.getByRole("button", { name: `Bid ${bid}` }).click();
  await expect(playable(page).first()).toBeVisible({ timeout: 60_000 });
  await ask(page).click();
  await expect(suggested(page)).toHaveCount(1);
});

for (const [game, locale, size] of [
  ["Offenbach", "de", PHONE],
  ["Molotow Jass", "fr", PHONE],
  ["Differenzler", "it", PHONE],
  ["Handjass", "en", DESKTOP],
  ["Handjass", "de", PHONE],
  ["Schieber", "de", PHONE],
  ["Coiffeur", "fr", DESKTOP],
  ["I Doubt It", "en", PHONE],
] as const) {
  test(`a hint fits ${game} at ${size.width}×${size.height} in ${locale}`, async ({ person }) => {
    const { page } = await person({ nickname: "Anna", locale }, size);
    await withHints(page, game);
    await ask(page).click();
    await expect(told(page)).toBeVisible();
    await expect(told(page).locator("span").last()).not.toBeEmpty();
    await expectFitsAndAccessible(page);
    await expectNoOverflow(page);
  });
}

test("a hint that does not come within half a minute says so, and can be asked for again", async ({
  person,
}) => {
  const { page } = await person({ nickname: "Anna" }, PHONE);
  await page.routeWebSocket(/\/ws$/, (route) => {
    const server = route.connectToServer();
    route.onMessage((text) => {
      if ((JSON.parse(String(text)) as ClientMessage).type !== "hint") server.send(text);
    });
  });
  await page.clock.install();
  await withHints(page, "Molotov Jass");
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 2_000);
  await ask(page).click();
  await expect(ask(page)).toHaveText("Thinking …");
  await page.clock.fastForward(29_900);
  await expect(ask(page)).toBeDisabled();
  await expect(page.locator(".toast")).toHaveCount(0);
  await page.clock.fastForward(200);
  await expect(page.locator(".toast")).toHaveText("No hint came. You can ask again.");
  await expect(ask(page)).toHaveText("Hint");
  await expect(ask(page)).toBeEnabled();
});

test("a table without hints has no hint button", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  await chooseGame(page, "Molotow Jass");
  await playNow(page);
  await expect(playable(page).first()).toBeVisible();
  await expect(ask(page)).toHaveCount(0);
});

test("the chosen bot sits at the table and is preselected the next time", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  const asked: { seats: string[]; stand_in: string }[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/api/tables")) {
      asked.push(request.postDataJSON() as (typeof asked)[number]);
    }
  });
  await chooseGame(page, "Molotov Jass");
  await expect(page.getByRole("radio", { name: "Strong", exact: true })).toBeChecked();
  await page.getByRole("radio", { name: "Easy", exact: true }).check();
  await expect(page.getByText("Plays by rules of thumb, without looking ahead.")).toBeVisible();
  await playNow(page);
  await expect(playable(page).first()).toBeVisible();
  await chooseGame(page, "Differenzler");
  await expect(page.getByRole("radio", { name: "Easy", exact: true })).toBeChecked();
  expect(asked.map(({ seats, stand_in }) => [seats[1], stand_in])).toEqual([["bot:greedy", "greedy"]]);
});
