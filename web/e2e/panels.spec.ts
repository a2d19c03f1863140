// Panels that are opened over the start page while a table is being created stay open over the table.
import type { Page } from "@playwright/test";
import { chooseGame, expect, ownCards, startPageShown, tableShown, test } from "./page-actions";

/** Starts a match, whose table is only created when the returned function is called. */
async function playNowHeld(page: Page): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((done) => (release = done));
  await page.route("**/api/tables", async (route) => {
    if (route.request().method() === "POST") await released;
    await route.fallback();
  });
  const button = page.getByRole("button", { name: /^Play now/ });
  await button.click();
  await expect(button).toBeDisabled();
  return release;
}

test("settings opened during table creation stay open", async ({ person }) => {
  const { page } = await person({ lastCard: true });
  await chooseGame(page, "Molotov Jass");
  const release = await playNowHeld(page);
  await expect(page.getByRole("button", { name: "Code" })).toBeDisabled();
  await page.getByRole("button", { name: "Settings" }).click();
  const panel = page.getByRole("dialog", { name: "Settings" });
  await expect(panel).toBeVisible();
  const element = await panel.elementHandle();
  release();
  await tableShown(page);
  await expect(ownCards(page).first()).toBeVisible();
  await expect(panel).toBeVisible();
  // It is the same element, so nothing done in it meanwhile is lost.
  expect(await element?.evaluate((one) => one.isConnected)).toBe(true);
  const last = panel.getByRole("group", { name: "Last card of the hand" });
  await last.getByRole("radio", { name: "I play it" }).check();
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(ownCards(page).first()).toBeVisible();
});

test("rules opened during table creation stay open and become those of the table", async ({ person }) => {
  const { page } = await person();
  await chooseGame(page, "Molotov Jass");
  const release = await playNowHeld(page);
  await page.getByRole("button", { name: "Rules", exact: true }).click();
  const panel = page.getByRole("dialog", { name: /^Molotov Jass/ });
  await expect(panel).toBeVisible();
  release();
  await tableShown(page);
  await expect(panel).toBeVisible();
  await expect(panel.getByRole("complementary", { name: "Rules of this table" })).toBeVisible();
});

test("going back past the table closes a panel over it", async ({ person }) => {
  const { page } = await person();
  await chooseGame(page, "Molotov Jass");
  (await playNowHeld(page))();
  await tableShown(page);
  await page.getByRole("button", { name: "Settings" }).click();
  await expect(page.getByRole("dialog", { name: "Settings" })).toBeVisible();
  await page.waitForFunction(() => (history.state as { back?: string } | null)?.back === "guard");
  // As from the list of pages that a long press on Back shows.
  await page.evaluate(() => history.go(-2));
  await startPageShown(page);
  await expect(page.getByRole("dialog")).toHaveCount(0);
});
