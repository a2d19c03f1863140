// The replay of a finished match, move by move and by a link, and its analysis.
import type { Page } from "@playwright/test";
import { DESKTOP, expectFitsAndAccessible, PHONE } from "./assertions";
import { fastForward } from "./fast-forward";
import {
  nextDecision,
  chooseGame,
  expect,
  ownCards,
  playCard,
  playNow,
  setNumber,
  test,
} from "./page-actions";

/** Analysing a round takes the server a while next to all the other tests. */
const THOUGHT_OVER = { timeout: 120_000 };

const place = (page: Page) => page.locator(".controls .place");

/** Plays a match of one round and follows the link to its replay. */
async function playedOut(page: Page): Promise<void> {
  await chooseGame(page, "Molotow Jass");
  await setNumber(page, "Rounds", 1);
  await playNow(page);
  await fastForward([page], {});
  await page.getByRole("link", { name: "Replay and analysis" }).click();
  await expect(page).toHaveURL(/\/replay\/1$/);
  await expect(place(page)).toBeVisible();
}
const told = (page: Page) => page.locator(".controls .told");
const hands = (page: Page) => page.locator("[data-hand]");

test("a match can be replayed by keyboard, by slider and by a link to a move", async ({ person }) => {
  test.slow();
  const { page } = await person({ nickname: "Anna" }, PHONE);
  await playedOut(page);
  await expect(place(page)).toHaveText(/^0 \/ \d+$/);
  const steps = Number((await place(page).innerText()).split(" / ")[1]);

  await page.keyboard.press("End");
  await expect(place(page)).toHaveText(`${steps} / ${steps}`);
  await expect(told(page)).toContainText("Round 1 is over");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await expect(place(page)).toHaveText(`1 / ${steps}`);

  await page.getByRole("slider", { name: "Move" }).fill("12");
  await expect(page).toHaveURL(/\?step=12$/);
  await expect(hands(page)).toHaveCount(0);
  const mine = await ownCards(page).evaluateAll((cards) => cards.map((one) => one.dataset.card));
  await page.getByRole("radio", { name: "All hands" }).check();
  await expect(hands(page)).toHaveCount(4);
  const shown = await hands(page)
    .first()
    .locator("span.card")
    .evaluateAll((cards) => cards.map((one) => (one as HTMLElement).dataset.card));
  expect(shown).toEqual(mine);
  await expectFitsAndAccessible(page);

  // The link opens the same move for anybody who may have the record.
  const { page: other } = await person({ nickname: "Reto" }, DESKTOP);
  await other.goto(page.url());
  await expect(place(other)).toHaveText(`12 / ${steps}`);
  await expect(hands(other)).toHaveCount(4);
  const cards = (one: Page) =>
    one
      .locator(".trick [data-card] > svg")
      .evaluateAll((all) => all.map((it) => it.getAttribute("data-card")).sort());
  expect(await cards(other)).toEqual(await cards(page));
  await expectFitsAndAccessible(other);
});

test("a finished round can be replayed while the match continues", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" }, PHONE);
  await chooseGame(page, "Molotow Jass");
  await setNumber(page, "Rounds", 2);
  await playNow(page);
  while ((await nextDecision(page)) === "play") await playCard(page);
  await page.getByRole("link", { name: "Look at this round again" }).click();
  await expect(page).toHaveURL(/\/replay\/1\?round=1/);
  await expect(place(page)).toBeVisible();
  await page.keyboard.press("End");
  await expect(told(page)).toContainText("Round 1 is over");
  // After the draw for the deal and the deal itself.
  await page.getByRole("slider", { name: "Move" }).fill("2");
  await expect(ownCards(page)).toHaveCount(9);
  await expect(page.getByRole("radio", { name: "All hands" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Play on from here" })).toHaveCount(0);
  await expect(page.getByText("Once the match is over, all hands")).toBeVisible();
  await expectFitsAndAccessible(page);
  await page.getByRole("link", { name: "To the table" }).click();
  await page.getByRole("button", { name: "Next round" }).click();
  await expect(ownCards(page)).toHaveCount(9);
});

test("the analysis opens the costliest decision and names the better action", async ({ person }) => {
  test.slow();
  const { page } = await person({ nickname: "Anna" }, DESKTOP);
  await playedOut(page);
  await page.getByRole("button", { name: "Analyse" }).click();
  const first = page.locator(".analysis ol button").first();
  await expect(first).toBeVisible(THOUGHT_OVER);
  await first.click();
  const step = await first.getAttribute("data-step");
  await expect(page).toHaveURL(new RegExp(`\\?step=${step}$`));
  const decision = page.locator(".decision");
  await expect(decision.locator("[data-best]")).toBeVisible();
  await expect(decision.locator(".why")).not.toBeEmpty();
  const played = await decision.locator("[data-played]").getAttribute("data-played");
  expect(await decision.locator("[data-best]").getAttribute("data-best")).not.toBe(played);
  // The card played is on the table after the next step.
  await page.getByRole("button", { name: "One move on" }).click();
  await expect(page.locator(`.trick li[data-card="${played?.split(" ")[1]}"]`)).toBeVisible();
  await page.getByRole("button", { name: "One move back" }).click();
  await expectFitsAndAccessible(page);
  await page.setViewportSize(PHONE);
  await expectFitsAndAccessible(page);
});

test("a match can be resumed from a move against bots at a new table", async ({ person }) => {
  test.slow();
  const { page } = await person({ nickname: "Anna" }, PHONE);
  await playedOut(page);
  const replay = page.url();
  const on = page.getByRole("button", { name: "Play on from here" });
  await expect(on).toBeVisible();
  await page.keyboard.press("End");
  await expect(page.getByText("The match ends here.")).toBeVisible();
  await expect(on).toHaveCount(0);
  await page.getByRole("slider", { name: "Move" }).fill("12");
  await expect(page).toHaveURL(/\?step=12$/);
  await expectFitsAndAccessible(page);
  const shown = () => ownCards(page).evaluateAll((cards) => cards.map((one) => one.dataset.card).sort());
  const held = await shown();

  await on.click();
  await expect(page).toHaveURL(/\/t\/[^/]+$/);
  expect(page.url()).not.toBe(replay.replace(/\/replay.*/, ""));
  const note = page.getByRole("link", { name: "Played on from move 12" });
  await expect(note).toBeVisible();
  // The reader keeps the hand of the replay until they play a card, whoever is on turn first.
  await expect(page.getByText("Your turn").first()).toBeVisible();
  expect(await shown()).toEqual(held);
  await expectFitsAndAccessible(page);

  await note.click();
  await expect(place(page)).toHaveText(/^12 \/ /);
  await page.goBack();
  await expect(note).toBeVisible();
  await page.getByRole("button", { name: "Close the notice" }).click();
  await expect(note).toHaveCount(0);
  await fastForward([page], {});
  await expect(page.getByRole("heading", { name: "Deals without proof" })).toBeVisible();
  await expectFitsAndAccessible(page);
  await page.goto("/me");
  await expect(page.getByText("Played on from move 12, does not count")).toBeVisible();
});

test("a missing match and an unreachable server are reported with a way back", async ({ person }) => {
  test.slow();
  const { page, consoleProblems } = await person({ nickname: "Anna" }, PHONE);
  await playedOut(page);
  const here = page.url();
  await page.goto(here.replace("/replay/1", "/replay/2"));
  await expect(page.getByRole("heading", { name: "There is no such match" })).toBeVisible();
  await expectFitsAndAccessible(page);
  await page.getByRole("link", { name: "To the table" }).click();
  await expect(page.getByRole("heading", { name: /win/ })).toBeVisible();

  await page.route("**/matches/1/replay", (route) => route.abort());
  await page.getByRole("link", { name: "Replay and analysis" }).click();
  await expect(page.getByRole("heading", { name: "The match cannot be loaded" })).toBeVisible();
  await page.unroute("**/matches/1/replay");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(place(page)).toBeVisible();
  const failed = consoleProblems.splice(0).filter((one) => one.startsWith("Failed to load resource"));
  expect(failed).toEqual([expect.stringContaining("status of 404"), expect.stringContaining("ERR_FAILED")]);
});
