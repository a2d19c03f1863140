// The browser's Back closes what is open before it leaves the page, asks before it leaves a match, and leaves no
// entries behind in the history.
import type { Page } from "@playwright/test";
import { PHONE } from "./assertions";
import {
  chooseGame,
  expect,
  nextDecision,
  openLobby,
  ownCards,
  playNow,
  startPageShown,
  test,
} from "./page-actions";

const question = (page: Page) => page.getByRole("dialog", { name: "Leave the table" });
const settings = (page: Page) => page.getByRole("dialog", { name: "Settings" });
const openSettings = (page: Page) => page.getByRole("button", { name: "Settings" }).click();

/** Back, as the browser's button or a gesture; what it does on the same page takes no navigation. */
const back = (page: Page) => page.evaluate(() => history.back());

/** Waits until the page has brought its history in order, which it does without showing it. */
const settled = (page: Page, entry: "guard" | "none") =>
  page.waitForFunction(
    (guarded) => ((history.state as { back?: string } | null)?.back === "guard") === guarded,
    entry === "guard",
  );

for (const mode of ["picture", "text"] as const) {
  test(`in a match Back closes what is open, and asks before it leaves: ${mode}`, async ({ person }) => {
    const { page } = await person({ nickname: "Anna", mode }, PHONE);
    await chooseGame(page, "Molotov Jass");
    await playNow(page);
    await settled(page, "guard");
    const before = await page.evaluate(() => history.length);
    await openSettings(page);
    await settings(page).waitFor();
    await back(page);
    await expect(settings(page)).toHaveCount(0);
    await settled(page, "guard");
    await page.getByRole("button", { name: "Say something" }).click();
    await page.getByRole("button", { name: "Well played" }).waitFor();
    await back(page);
    await expect(page.getByRole("button", { name: "Well played" })).toHaveCount(0);
    await settled(page, "guard");

    await back(page);
    await expect(question(page)).toBeVisible();
    await settled(page, "guard");
    await back(page);
    await expect(question(page)).toHaveCount(0);
    await settled(page, "guard");
    expect(await page.evaluate(() => history.length)).toBe(before);

    await page.reload();
    await page.locator(".page-head").waitFor();
    await settled(page, "guard");
    await back(page);
    await question(page).getByRole("button", { name: "Leave the table" }).click();
    await startPageShown(page);
  });
}

test("panels leave no entries behind, and from a lobby Back leaves at once", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" }, PHONE);
  await chooseGame(page, "Molotov Jass");
  await openLobby(page);
  const table = page.url();
  for (const way of ["Escape", "button"]) {
    await openSettings(page);
    await settled(page, "guard");
    if (way === "Escape") await page.keyboard.press("Escape");
    else await settings(page).getByRole("button", { name: "Close" }).click();
    await settled(page, "none");
  }
  await openSettings(page);
  await settled(page, "guard");
  await page.reload();
  await page.locator(".lobby").waitFor();
  await settled(page, "none");
  await page.goBack();
  await startPageShown(page);
  await page.goForward();
  await page.locator(".lobby").waitFor();
  expect(page.url()).toBe(table);
  await page.goForward({ timeout: 500 }).catch(() => null);
  await settled(page, "none");
  await page.goBack();
  await startPageShown(page);
});

test("Back on the start page closes a panel, also one that has led to a table", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" }, PHONE);
  await page.goto("/");
  await openSettings(page);
  await settled(page, "guard");
  await back(page);
  await expect(settings(page)).toHaveCount(0);
  await settled(page, "none");
  await chooseGame(page, "Molotov Jass");
  await openLobby(page);
  await page.getByRole("button", { name: "Start the match" }).click();
  await nextDecision(page);
  await settled(page, "guard");
  await page.getByRole("link", { name: "To the start page" }).click();
  await startPageShown(page);
  await page.goBack();
  await expect(ownCards(page).first()).toBeVisible();
});

test("a swipe down at the table does not reload the page", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" }, PHONE);
  const behaviour = () => page.evaluate(() => getComputedStyle(document.documentElement).overscrollBehaviorY);
  await chooseGame(page, "Molotov Jass");
  expect(await behaviour()).toBe("auto");
  await openLobby(page);
  expect(await behaviour()).toBe("none");
});
