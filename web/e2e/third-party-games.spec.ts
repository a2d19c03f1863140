// A game unknown to the page: in the list, then played by two people to its end.
import { DESKTOP, expectFitsAndAccessible, expectTappable, PHONE } from "./assertions";
import { fastForward } from "./fast-forward";
import { test } from "./third-party-games";
import {
  nextDecision,
  choose,
  chooseGame,
  expect,
  expectNoOverflow,
  POLLING,
  openLobby,
  ownCards,
  playCard,
  playNow,
  playUntil,
  setNumber,
} from "./page-actions";
import type { Page } from "@playwright/test";

/** Creates a table of the chosen game for two people and bots. */
async function together(anna: Page, reto: Page): Promise<void> {
  await setNumber(anna, "Rounds", 1);
  await openLobby(anna);
  await reto.goto(await anna.getByRole("textbox", { name: "Link" }).inputValue());
  await reto.getByRole("button", { name: "Sit here: Seat 2" }).click();
  await anna.getByRole("button", { name: "Start the match" }).click();
}

test("a game without texts can be played to its end by two people", async ({ person }) => {
  const anna = await person({ nickname: "Anna" });
  const reto = await person({ nickname: "Reto" }, PHONE);
  await chooseGame(anna.page, "ramsch");
  await expect(anna.page.getByText("Nobody has taught the computer this game")).toBeVisible();
  await expect(anna.page.locator(".tile")).toHaveCount(11);
  await expect(anna.page.locator(".tile").last().locator("svg path").first()).toBeAttached();
  await expect(anna.page.getByRole("checkbox", { name: /^Hints/ })).toHaveCount(0);
  await expectFitsAndAccessible(anna.page);

  await together(anna.page, reto.page);
  await expect(ownCards(reto.page)).toHaveCount(9);
  await expect(reto.page).toHaveTitle(/ramsch/);
  await expectTappable(reto.page);
  await expectFitsAndAccessible(reto.page);
  await Promise.all([anna, reto].map(({ page }) => playUntil(page, (moment) => moment === "round")));
  for (const { page } of [anna, reto]) {
    await expect(page.getByRole("heading", { level: 2, name: /win/ })).toBeVisible();
    await expect(page.locator(".slate-here th", { hasText: "Total" })).toBeVisible();
    await expectFitsAndAccessible(page);
  }
});

test("without a rule sheet the page says so and lists the house rules", async ({ person }) => {
  const { page } = await person();
  await chooseGame(page, "ramsch");
  await page.getByRole("button", { name: "Rules", exact: true }).click();
  const sheet = page.getByRole("dialog");
  await expect(sheet).toContainText("This game has no rule sheet.");
  await expect(sheet.locator('[data-option="undertrump"]')).toContainText("Undertrumping");
  await expectFitsAndAccessible(page);
});

test("a game with its own texts shows them everywhere, in every language", async ({ person }) => {
  const { page } = await person({ locale: "de", deck: "swiss" }, PHONE);
  await chooseGame(page, "Bock");
  await page.locator("summary").click();
  await expect(page.getByLabel("Farbe des Bocks")).toContainText("schneeweiss");
  await page.getByRole("button", { name: "Spielregeln", exact: true }).click();
  const sheet = page.getByRole("dialog");
  await expect(sheet.getByRole("heading", { name: "The announcement" })).toBeVisible();
  await expect(sheet.locator('[data-option="goat_colour"]')).toContainText("the rare one");
  await page.keyboard.press("Escape");

  await playNow(page);
  await page.waitForFunction(() => document.querySelector(".choose, #hand .open"), undefined, POLLING);
  await expect(page).toHaveTitle(/Bock/);
});

for (const [size, theme] of [
  [PHONE, "light"],
  [DESKTOP, "dark"],
] as const) {
  test(`a generic choice of actions, at ${size.width}×${size.height}`, async ({ person }) => {
    const anna = await person({ nickname: "Anna", theme }, size);
    const reto = await person({ nickname: "Reto", theme }, size);
    await chooseGame(anna.page, "Goat");
    await anna.page.locator("summary").click();
    await anna.page.getByLabel("First dealer").selectOption("3");
    await together(anna.page, reto.page);

    const panel = anna.page.getByRole("region", { name: "Which trump?" });
    await expect(panel.getByRole("button")).toHaveCount(5);
    await expect(panel.getByRole("button", { name: "Trump hearts" }).locator("svg")).toBeVisible();
    const sizes = await panel
      .getByRole("button")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    for (const height of sizes) expect(height).toBeGreaterThanOrEqual(44);
    await expectNoOverflow(anna.page);
    await expectFitsAndAccessible(anna.page);
    await expect(reto.page.getByText("Anna is thinking it over").first()).toBeVisible();

    await choose(anna.page, "push");
    await expect(reto.page.getByRole("log")).toContainText("Anna: Push on");
    await expect(reto.page.locator('[data-seat="0"] .last-said')).toHaveText("Push on");
    await expect(anna.page.locator('[data-own="said"]')).toHaveText("Push on");
    await choose(reto.page, "trump H");
    await expect(reto.page.locator("[data-trump=H]").first()).toBeVisible();
    await expect(anna.page.getByRole("log")).toContainText("Reto: trump hearts");
    for (const again of [false, true]) {
      if (again) await anna.page.reload();
      await expect(anna.page.locator('[data-seat="1"] .last-said')).toHaveText("trump hearts");
      await expect(anna.page.locator(".corner dl")).toHaveText(/^Named by\s*Reto$/);
    }
    await expectFitsAndAccessible(anna.page);

    await nextDecision(anna.page);
    await playCard(anna.page);
    await fastForward([anna.page, reto.page], {});
    const slate = anna.page.locator(".slate-here");
    await expect(slate.locator("thead")).toContainText("Best round");
    await expect(slate.locator("tbody tr", { hasText: "Reto" })).toContainText("round 1");
    await expectFitsAndAccessible(anna.page);
  });
}

for (const size of [PHONE, DESKTOP, { width: 740, height: 360 }]) {
  test(`an auction shows every bid at its seat, at ${size.width}×${size.height}`, async ({ person }) => {
    const { page } = await person({ nickname: "Anna" }, size);
    await chooseGame(page, "steigern");
    await page.locator("summary").click();
    await page.getByLabel("First dealer").selectOption("2");
    await playNow(page);
    const panel = page.locator(".choose");
    await panel.waitFor();
    await expect(page.locator('[data-seat="3"] .last-said')).toHaveText(/^(pass|bid \d+ .*)$/);
    await expectNoOverflow(page);
    await expectFitsAndAccessible(page);
    await panel.getByRole("button").first().click();
    await expect(page.locator('[data-own="said"]')).toHaveText(/^(pass|bid \d+ .*)$/);
  });
}
