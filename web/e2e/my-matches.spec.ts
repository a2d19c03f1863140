// A person's matches: available without an account, with every match, a chart, and a data export.
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import type { MatchHistoryPage } from "../src/api/messages";
import { DESKTOP, expectFitsAndAccessible, PHONE } from "./assertions";
import { fastForward } from "./fast-forward";
import { playedMatches } from "./played-matches";
import { chooseGame, expect, playNow, setNumber, test } from "./page-actions";

async function answered(page: Page, ...answers: MatchHistoryPage[]): Promise<void> {
  await page.route("**/api/me/matches**", (route) =>
    route.fulfill({ json: answers.length > 1 ? answers.shift() : answers[0] }),
  );
}

const lines = (page: Page) => page.locator(".matches > li");

test("a finished match is listed with replay, table and record", async ({ person }) => {
  test.slow();
  const { page } = await person({ nickname: "Anna" }, PHONE);
  await page.goto("/");
  await page.getByRole("link", { name: "My matches" }).click();
  await expect(page.getByText("You have not finished a match here yet.", { exact: false })).toBeVisible();
  await expectFitsAndAccessible(page);
  await page.getByRole("link", { name: "Play a match" }).click();
  await chooseGame(page, "Molotow Jass");
  await setNumber(page, "Rounds", 1);
  await playNow(page);
  await fastForward([page], {});

  // By the account panel.
  await page.goto("/");
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("button", { name: "You and your devices" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "My matches" }).click();
  await expect(page).toHaveURL(/\/me$/);
  await expect(lines(page)).toHaveCount(1);
  await expect(lines(page).getByRole("heading", { name: "Molotow Jass" })).toBeVisible();
  await expect(lines(page)).toContainText("Anna");
  await expect(page.getByText("None of your matches has been analysed yet.", { exact: false })).toBeVisible();
  await expectFitsAndAccessible(page);

  const saved = page.waitForEvent("download");
  await lines(page)
    .getByRole("button", { name: /^Record/ })
    .click();
  const record = JSON.parse(await readFile(await (await saved).path(), "utf-8")) as { game: string };
  expect(record.game).toBe("molotow");
  const all = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save everything as a file" }).click();
  const kept = JSON.parse(await readFile(await (await all).path(), "utf-8")) as { format: string };
  expect(kept.format).toBe("jasstisch-person/1");

  await lines(page)
    .getByRole("link", { name: /^Replay/ })
    .click();
  await expect(page.locator(".controls .place")).toBeVisible();
  await page.goBack();
  await page.getByRole("button", { name: "Forget me everywhere" }).click();
  await page.getByRole("button", { name: "Yes, forget" }).click();
  await expect(page.getByRole("heading", { name: "Choose a game" })).toBeVisible();
  await page.goto("/me");
  await expect(page.getByRole("link", { name: "Play a match" })).toBeVisible();
});

test("losses are shown as a chart, with a table for screen readers", async ({ person }) => {
  const { page } = await person({}, DESKTOP);
  await answered(page, playedMatches());
  await page.goto("/me");
  const picture = page.getByRole("img", { name: "Points per decision" });
  await expect(picture.locator(".dot")).toHaveCount(6);
  await expect(picture.locator(".mean")).toHaveCount(1);
  await expect(page.getByText("over 6 matches", { exact: false })).toBeVisible();
  await page.getByText("As a table").click();
  await expect(page.getByRole("region", { name: "Points per decision" }).locator("tbody tr")).toHaveCount(6);
  await expectFitsAndAccessible(page);
  for (const theme of ["dark", "light"]) {
    await page.evaluate((one) => (document.documentElement.dataset.theme = one), theme);
    await page.setViewportSize(theme === "dark" ? PHONE : DESKTOP);
    await expectFitsAndAccessible(page);
  }

  // Text at twice its size.
  await page.setViewportSize(PHONE);
  await page.addStyleTag({ content: ":root { font-size: 212.5% !important }" });
  await expectFitsAndAccessible(page);
});

test("more matches load on demand, and pending tables are mentioned", async ({ person }) => {
  const { page } = await person({}, PHONE);
  const whole = playedMatches();
  const few = { ...whole, matches: whole.matches.slice(0, 2) };
  let read = (): void => undefined;
  const held = new Promise<void>((done) => (read = done));
  const answers = [
    { ...few, unread: 7 },
    { ...few, matches: whole.matches.slice(0, 6), next: "1.Table5.1" },
    { ...whole, matches: whole.matches.slice(6), games: null, given: null },
  ];
  await page.route("**/api/me/matches**", async (route) => {
    if (answers.length === 2) await held;
    await route.fulfill({ json: answers.shift() });
  });
  await page.goto("/me");
  await expect(page.getByText("Tables still being read: 7")).toBeVisible();
  await expect(page.getByRole("button", { name: "More matches" })).toHaveCount(0);
  read();
  await expect(lines(page)).toHaveCount(6);
  await page.getByRole("button", { name: "More matches" }).click();
  await expect(lines(page)).toHaveCount(12);
  await expect(lines(page).nth(6).getByRole("link").first()).toBeFocused();
  await expect(page.getByRole("button", { name: "More matches" })).toHaveCount(0);
});

test("an unreachable server is reported, and the request can be repeated", async ({ person }) => {
  const { page, consoleProblems } = await person({}, PHONE);
  await page.route("**/api/me/matches**", (route) => route.abort());
  await page.goto("/me");
  await expect(page.getByRole("alert")).toBeVisible();
  await expectFitsAndAccessible(page);
  await page.unroute("**/api/me/matches**");
  await answered(page, playedMatches());
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(lines(page)).toHaveCount(12);
  expect(consoleProblems.splice(0)).toEqual([expect.stringContaining("ERR_FAILED")]);
});
