// While disconnected, the page does not know whose turn it is and does not show one.
import type { Page } from "@playwright/test";
import type { CreatedTable } from "../src/api/messages";
import { expectFitsAndAccessible, PHONE } from "./assertions";
import { openScene } from "./scenes";
import { nextDecision, expect, ownCards, playable, test } from "./page-actions";

const LOST = "Reconnecting …";

/** All elements that show whose turn it is. */
const MARKS = [
  '[data-acting="true"]',
  '[data-mine="true"]',
  ".countdown",
  "[data-suggested]",
  "#hand .playing",
  "form.bid",
  ".choose",
  ".answer",
  "div.first",
].join();

async function expectNobodysTurn(page: Page): Promise<void> {
  await expect(page.locator(".own .turn")).toHaveText(LOST);
  await expect(page.locator(MARKS)).toHaveCount(0);
  await expect(page).not.toHaveTitle(/●|turn/);
  await expect(page.getByText("Connection lost. Reconnecting …")).toBeVisible();
}

test("a lost connection hides the turn, and a new one shows it again", async ({ person }) => {
  const { page } = await person({ deck: "french" }, PHONE);
  const stage = await openScene(page, "four_weis", undefined, { room: { thinking_time: 30 } });
  await expect(page.locator(".own .turn")).toHaveAttribute("data-mine", "true");
  await expect(page).toHaveTitle(/^● Your turn/);
  const offered = await playable(page).count();
  expect(offered).toBeGreaterThan(0);

  await stage.cut();
  await expectNobodysTurn(page);
  await expect(playable(page)).toHaveCount(0);
  const held = await ownCards(page).count();
  // Force the click: no card is enabled.
  await ownCards(page)
    .first()
    .click({ position: { x: 14, y: 14 }, force: true });
  await expect(page.locator(".why")).toHaveText(LOST);
  await expect(ownCards(page)).toHaveCount(held);
  expect(stage.sent).toEqual([]);
  await expectFitsAndAccessible(page);

  stage.mend();
  await expect(page.locator(".own .turn")).toHaveAttribute("data-mine", "true");
  await expect(page).toHaveTitle(/^● Your turn/);
  await expect(playable(page)).toHaveCount(offered);
  await expect(page.getByRole("log")).toContainText("Your turn");
});

for (const scene of ["schieber_asked", "schieber_others", "four_asked", "four_weis", "three_rob"]) {
  test(`no prompt is shown while disconnected: ${scene}`, async ({ person }) => {
    const { page } = await person({}, PHONE);
    const stage = await openScene(page, scene, undefined, { room: { thinking_time: 30 } });
    await expect(page.locator(MARKS).first()).toBeVisible();
    await stage.cut();
    await expectNobodysTurn(page);
    stage.mend();
    await expect(page.locator(MARKS).first()).toBeVisible();
  });
}

test("a claim shows no answer buttons while disconnected", async ({ person }) => {
  const { page } = await person({}, PHONE);
  const stage = await openScene(page, "last_claim", ["Anna", "Bea", "Cem", "Dora", "Emil"]);
  await expect(page.locator(MARKS).first()).toBeVisible();
  await stage.cut();
  await expectNobodysTurn(page);
  await expect(page.getByText("may doubt it")).toHaveCount(0);
});

test("an entered bid survives a lost connection", async ({ person, server }) => {
  const { page } = await person({ nickname: "Anna" }, PHONE);
  const seats = ["me", "bot:greedy", "bot:greedy", "bot:greedy"];
  const made = await page.request.post("/api/tables", {
    data: { game: "differenzler", seats, name: "Anna", pause: 0 },
  });
  await page.goto(`/t/${((await made.json()) as CreatedTable).table}`);
  await page.getByRole("button", { name: "Start the match" }).click();
  expect(await nextDecision(page)).toBe("bid");
  const field = page.getByRole("textbox", { name: /^Your bid/ });
  await field.fill("28");
  await server.kill();
  await expectNobodysTurn(page);
  await server.start();
  await expect(field).toHaveValue("28");
});

test("a panel that fails to load says so, and opens after a reload", async ({ person }) => {
  const { page, consoleProblems } = await person({}, PHONE);
  await openScene(page, "schieber_play");
  await page.route("**/assets/SettingsPanel*", (route) => route.abort("connectionrefused"));
  await page.getByRole("button", { name: "Settings" }).click();
  const panel = page.getByRole("dialog", { name: "This could not be loaded" });
  await expect(panel).toContainText("nothing is lost");
  await expectFitsAndAccessible(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Settings" }).click();
  await page.unroute("**/assets/SettingsPanel*");
  await panel.getByRole("button", { name: "Load the page anew" }).click();
  await expect(ownCards(page).first()).toBeVisible();
  await page.getByRole("button", { name: "Settings" }).click();
  await expect(page.getByRole("dialog", { name: "Settings" })).toBeVisible();
  consoleProblems.splice(0);
});
