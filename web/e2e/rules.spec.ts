// The rule sheets in the page: readable on a phone, with the house rules of the table marked.
import type { Locator, Page } from "@playwright/test";
import { DESKTOP, expectAccessible, PHONE } from "./assertions";
import {
  nextDecision,
  chooseGame,
  expect,
  expectNoOverflow,
  openLobby,
  playNow,
  setNumber,
  test,
} from "./page-actions";
import { openScene } from "./scenes";

const SIDEWAYS = { width: 740, height: 360 };

const dialog = (page: Page): Locator => page.locator("dialog[open]");

/** Expects that nothing overflows the sheet sideways, tables scroll, and axe finds nothing. */
async function expectReadable(page: Page): Promise<void> {
  await expectNoOverflow(page);
  const wide = await dialog(page).evaluate((box) =>
    [box, ...box.querySelectorAll(".text, section")]
      .filter((one) => one.scrollWidth > one.clientWidth + 1)
      .map((one) => `${one.className}: ${one.scrollWidth} > ${one.clientWidth}`),
  );
  expect(wide).toEqual([]);
  await expectAccessible(page, "dialog[open]");
}

for (const [size, theme, locale, deck, game, rules] of [
  [PHONE, "light", "de", "swiss", /^Handjass/, "Spielregeln"],
  [PHONE, "dark", "fr", "french", /^Je doute/, "Règles du jeu"],
  [SIDEWAYS, "dark", "de", "swiss", /^Offenbach/, "Spielregeln"],
  [DESKTOP, "dark", "it", "swiss", /^Molotow/, "Regole del gioco"],
  [DESKTOP, "light", "en", "french", /^Differenzler/, "Rules"],
] as const) {
  test(`can be read at ${size.width}×${size.height}, ${theme}, in ${locale}`, async ({ person }) => {
    const { page } = await person({ locale, deck, theme, nickname: "Anna" }, size);
    await page.goto("/");
    await page.getByRole("radio", { name: game }).check();
    await page.getByRole("button", { name: rules, exact: true }).click();
    await expect(dialog(page).locator("[data-section]").first()).toBeVisible();
    await expectReadable(page);
    // Every section can be reached from the table of contents.
    const entries = dialog(page).locator("nav button");
    const headings = dialog(page).locator("[data-section] > h3");
    await expect(entries).toHaveCount(await headings.count());
    for (const place of [3, (await entries.count()) - 1]) {
      await entries.nth(place).click();
      await expect(headings.nth(place)).toBeInViewport();
      await expect(headings.nth(place)).toBeFocused();
      await expect(entries.nth(place)).toHaveAttribute("aria-current", "true");
    }
    await expectReadable(page);
  });
}

test("on the start page show the house rules as they are chosen there", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" }, PHONE);
  await chooseGame(page, "I Doubt It");
  await page.getByRole("radio", { name: "6", exact: true }).check();
  await page.getByText("House rules").click();
  await page.getByRole("combobox", { name: "Fee for a caught liar" }).selectOption("1");
  const claims = page.getByRole("spinbutton", { name: /^Claims in a deal/ });
  await expect(claims).toHaveValue("72");
  await claims.fill("19");
  await claims.blur();
  await expect(claims).toHaveValue("20");
  await claims.fill("200");
  await claims.blur();

  const book = page.getByRole("button", { name: "Rules", exact: true });
  await book.click();
  const rule = (name: string): Locator => dialog(page).locator(`[data-option="${name}"]`);
  await expect(rule("rounds").locator(".holds strong")).toHaveText("6");
  await expect(rule("rounds").getByText("house rule")).toHaveCount(0);
  await expect(rule("max_turns").locator(".holds strong")).toHaveText("200");
  await expect(rule("max_turns").getByText("house rule")).toBeVisible();
  await expect(rule("lie_fee").locator('[aria-current="true"]')).toContainText("1 chip");
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await expect(book).toBeFocused();
});

test("at a table mark its house rules for everybody, before and during play", async ({ person }) => {
  const anna = await person({ nickname: "Anna" });
  await chooseGame(anna.page, "Molotov Jass");
  await setNumber(anna.page, "Strokes to win", 7);
  await anna.page.getByText("House rules").click();
  await anna.page.getByRole("combobox", { name: "Undertrumping" }).selectOption("if_void");
  await anna.page.getByRole("combobox", { name: "First dealer" }).selectOption("1");
  await openLobby(anna.page);
  await anna.page.waitForURL(/\/t\//);

  const reto = await person({ nickname: "Reto", locale: "de" }, PHONE);
  await reto.page.goto(anna.page.url());
  await reto.page.getByRole("button", { name: "Hier sitzen: Platz 2" }).click();
  await reto.page.getByRole("button", { name: "Spielregeln" }).click();
  const here = dialog(reto.page).getByRole("complementary", { name: "Regeln an diesem Tisch" });
  await expect(here).toContainText("Reto");
  await expect(here).toContainText("Striche zum Sieg");
  await expect(here.getByText("Hausregel")).toHaveCount(3);
  const undertrump = dialog(reto.page).locator('[data-option="undertrump"]');
  await expect(undertrump.locator('[aria-current="true"]')).toHaveCount(1);
  await expect(undertrump.locator('[aria-current="true"]')).toContainText("ausgespielte Farbe");
  await expect(dialog(reto.page).locator('[data-note="undertrump"]')).toContainText("An diesem Tisch");
  await expectReadable(reto.page);
  await reto.page.keyboard.press("Escape");

  await anna.page.getByRole("button", { name: "Start the match" }).click();
  await nextDecision(anna.page);
  await anna.page.getByRole("button", { name: "Rules", exact: true }).press("Enter");
  await expect(dialog(anna.page).locator('[data-option="target"] .holds strong')).toHaveText("7");
  await expect(dialog(anna.page).locator('[data-option="no_trump"]')).toContainText("no effect here");
  await expectReadable(anna.page);
});

test("leave room for the header's buttons on a phone, in every game", async ({ person }) => {
  const { page } = await person({ nickname: "Anna", locale: "de" }, PHONE);
  for (const game of ["Molotow-Jass", "Offenbach-Molotov"]) {
    await chooseGame(page, game);
    await playNow(page);
    await expect(page.locator("#hand button").first()).toBeVisible();
    await expectNoOverflow(page);
    for (const button of await page.locator("header nav button").all()) {
      await expect(button).toBeInViewport({ ratio: 1 });
    }
    const cut = await page.locator("header h1").evaluate((one) => one.scrollWidth > one.clientWidth);
    expect(cut).toBe(false);
  }
});

test("say so when they cannot be loaded, and come at the next try", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  await openScene(page, "schieber_play");
  await page.route("**/api/games/schieber", (route) => route.abort("connectionrefused"));
  await page.getByRole("button", { name: "Rules", exact: true }).click();
  await expect(dialog(page).getByRole("alert")).toContainText("could not be loaded");
  await page.unroute("**/api/games/schieber");
  await dialog(page).getByRole("button", { name: "Try again" }).click();
  await expect(dialog(page).getByRole("heading", { name: "The aim" })).toBeVisible();
});
