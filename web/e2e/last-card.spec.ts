// The last card of a hand, which plays by itself unless the player turns that off.
import type { Page } from "@playwright/test";
import { fastForward } from "./fast-forward";
import { chooseGame, expect, ownCards, playCard, playNow, playUntil, test } from "./page-actions";

/** Opens a match of Molotov against computers at the moment when two cards are in the hand. */
async function holdTwoCards(page: Page): Promise<void> {
  await chooseGame(page, "Molotov Jass");
  await playNow(page);
  await fastForward([page], { cards: 2 });
  await expect(ownCards(page)).toHaveCount(2);
}

/** Plays until the page holds one card, or none any more. */
async function playToTheLast(page: Page): Promise<void> {
  await playUntil(page, async (moment) => moment === "round" || (await ownCards(page).count()) < 2);
}

test("the last card of a hand plays by itself", async ({ person }) => {
  const { page } = await person({ lastCard: true });
  await holdTwoCards(page);
  await playToTheLast(page);
  await expect(page.getByRole("button", { name: "Next round" })).toBeVisible();
});

test("with the setting off the player plays the last card", async ({ person }) => {
  const { page } = await person({ lastCard: true });
  await holdTwoCards(page);
  await page.getByRole("button", { name: "Settings" }).click();
  const last = page.getByRole("group", { name: "Last card of the hand" });
  await last.getByRole("radio", { name: "I play it" }).check();
  await page.keyboard.press("Escape");
  await playToTheLast(page);
  // Eight times the display time; see `Pace`.
  await page.waitForTimeout(800);
  await expect(ownCards(page)).toHaveCount(1);
  await playCard(page);
  await expect(page.getByRole("button", { name: "Next round" })).toBeVisible();
  await page.reload();
  const kept = await page.evaluate(() => localStorage.getItem("jasstisch.settings"));
  expect(JSON.parse(kept ?? "{}")).toMatchObject({ lastCard: false });
});

test("the last card plays by itself in the text mode, too", async ({ person }) => {
  const { page } = await person({ lastCard: true });
  await holdTwoCards(page);
  await page.evaluate(() => {
    const stored = JSON.parse(localStorage.getItem("jasstisch.settings") ?? "{}") as object;
    localStorage.setItem("jasstisch.settings", JSON.stringify({ ...stored, mode: "text" }));
  });
  await page.reload();
  const hand = page.getByRole("region", { name: "Your cards" });
  await hand.getByRole("button", { disabled: false }).first().click();
  await expect(page.getByRole("button", { name: "Next round" })).toBeVisible();
});
