import type { Page } from "@playwright/test";
import { DESKTOP, PHONE } from "./assertions";
import { fastForward } from "./fast-forward";
import { testLayout } from "./layout-scenes";
import { openScene } from "./scenes";
import {
  chooseGame,
  expect,
  waitGone,
  POLLING,
  ownCards,
  playCard,
  playNow,
  setNumber,
  startTogether,
  test,
} from "./page-actions";

type Moment = "answer" | "first" | "play" | "watch" | "round" | "over";

/** Waits until the page needs an action of its reader, or shows that they only watch. */
async function nextDecision(page: Page): Promise<Moment> {
  const handle = await page.waitForFunction(
    () => {
      const there = (selector: string): boolean => document.querySelector(selector) !== null;
      if (there(".end .actions button")) return "over";
      if (there(".sheet button.primary")) return "round";
      if (there("[data-answer]")) return "answer";
      if (there(".first .rob, .first .weis")) return "first";
      if (there("#hand button.open")) return "play";
      return there(".watching") ? "watch" : false;
    },
    undefined,
    POLLING,
  );
  return (await handle.jsonValue()) as Moment;
}

/** Gives an answer, or the default if it is not available. */
async function answer(page: Page, wanted: string): Promise<void> {
  // The previous player's answer is announced first; only then can the reader answer.
  await page.locator("[data-answer]").first().waitFor();
  const there = page.locator(`[data-answer=${wanted}]`);
  const button = (await there.count()) > 0 ? there : page.locator("[data-answer=stay]");
  await button.click();
  await waitGone(page, "[data-answer]");
}

/** Plays the first legal card. */
async function play(page: Page): Promise<void> {
  // During an announcement a tap first shows the choices before the card: Weis, robbing.
  await waitGone(page, ".stack > *");
  await playCard(page);
}

/** Plays rounds until all of these have occurred, and fast-forwards through the rest; returns what occurred. */
async function playMatch(page: Page, ...wanted: string[]): Promise<Set<string>> {
  const met = new Set<string>();
  // Mostly stays, so that the match ends; the blind is tried first.
  const answers = ["blind", "stay", "stay", "drop", "stay"];
  for (let asked = 0; ;) {
    const moment = await nextDecision(page);
    met.add(moment);
    if (moment === "over") return met;
    if (moment === "round" && wanted.every((one) => met.has(one))) {
      await fastForward([page], {});
    } else if (moment === "round") {
      await page.locator(".sheet button.primary").click();
      await waitGone(page, ".sheet button.primary");
    } else if (moment === "answer") {
      for (const one of await page.locator("[data-answer]").all()) {
        met.add((await one.getAttribute("data-answer")) ?? "");
      }
      await answer(page, answers[asked++ % answers.length] ?? "stay");
    } else if (moment === "first") {
      const rob = page.locator(".first .rob");
      if ((await rob.count()) > 0) {
        met.add("rob");
        await rob.click();
        await expect(rob).toHaveCount(0);
      } else {
        met.add("weis");
        await play(page);
      }
    } else if (moment === "play") {
      await play(page);
    } else {
      // Others play: there is nothing to do until the round is over.
      await waitGone(page, ".watching");
    }
  }
}

for (const players of [2, 3, 4]) {
  test(`a whole match with ${players} against bots`, async ({ person }) => {
    test.setTimeout(300_000);
    const { page } = await person({ nickname: "Anna" }, players === 3 ? PHONE : DESKTOP);
    await chooseGame(page, "Handjass");
    await page.getByRole("radio", { name: String(players), exact: true }).check();
    await setNumber(page, "Strokes to be safe", 5);
    await playNow(page);
    const wanted = ["answer", "play", ...(players < 4 ? ["blind"] : [])];
    const met = await playMatch(page, ...wanted);
    expect([...met]).toEqual(expect.arrayContaining(wanted));
    const heading = page.locator("#match-title");
    await expect(heading).toHaveText(/^(You are (safe and win!|the last one left and lose)|Nobody is left)/);
    const safe = page.getByText(/Strokes: \d+\. .* Safe\.$/);
    await expect(safe).toHaveCount((await heading.innerText()).startsWith("Nobody") ? players : players - 1);
  });
}

test("two friends answer in turn and play a trick", async ({ person }) => {
  const anna = await person({ nickname: "Anna" });
  const reto = await person({ nickname: "Reto" }, PHONE);
  await chooseGame(anna.page, "Handjass");
  await anna.page.getByRole("radio", { name: "2", exact: true }).check();
  await startTogether(anna.page, reto.page, 2);

  const asked = (page: Page) => page.locator("[data-answer=stay]");
  const annaFirst = await Promise.race([
    asked(anna.page)
      .waitFor()
      .then(() => true),
    asked(reto.page)
      .waitFor()
      .then(() => false),
  ]);
  const [first, second] = annaFirst ? [anna, reto] : [reto, anna];
  await answer(first.page, "stay");
  await expect(second.page.locator('.plate[data-part="plays"]')).toContainText("stays");
  await answer(second.page, "blind");
  await expect(first.page.locator('[data-stock="away"]')).toBeAttached();
  await play(first.page);
  await play(second.page);
  for (const { page } of [first, second]) await expect(ownCards(page)).toHaveCount(8);
});

test.describe("at a chosen moment", () => {
  test("answers of others are shown at their seats, and one's own is sent", async ({ person }) => {
    const { page } = await person();
    const { sent } = await openScene(page, "four_asked");
    await expect(page.locator('[data-seat="1"]')).toContainText("stays");
    await expect(page.locator('[data-seat="2"]')).toContainText("dropped");
    await expect(page.locator('[data-stock="shown"]')).toContainText("jack of hearts");
    await expect(ownCards(page)).toHaveCount(9);
    await expect(page.locator("[data-answer]")).toHaveText(["Stay", "Drop"]);
    await page.getByRole("button", { name: "Stay" }).click();
    expect(sent).toEqual(["stay"]);
  });

  test("taking the blind adds its cards to the hand and shows the old hand face down", async ({ person }) => {
    const { page } = await person();
    const stage = await openScene(page, "three_asked");
    const blind = page.locator('[data-stock="blind"]');
    await expect(blind).toContainText("The blind: nine cards, with the ace of hearts turned up");
    await page.getByRole("button", { name: "Take the blind" }).click();
    expect(stage.sent).toEqual(["blind"]);
    stage.step();
    await expect(blind).toHaveCount(0);
    await expect(page.locator('[data-stock="away"]')).toContainText("Laid away by you, face down");
    await expect(ownCards(page).and(page.locator('[data-card="AH"]'))).toHaveCount(1);
    stage.step();
    await expect(page.getByRole("log")).toContainText("You take the blind");
    await expect(page.getByRole("log")).toContainText("Reto stays");
  });

  test("with two in the match the turned card stays on the dead hand", async ({ person }) => {
    const { page } = await person();
    const stage = await openScene(page, "two_asked");
    await expect(page.locator('[data-stock="blind"]')).toContainText("nine cards, face down");
    stage.step();
    await expect(page.locator('[data-stock="dead"]')).toContainText("ace of hearts");
    await expect(page.locator('[data-stock="away"]')).toBeAttached();
  });

  test("Weis is kept back only if switched off", async ({ person }) => {
    const { page } = await person();
    const { sent } = await openScene(page, "four_weis");
    const weis = page.getByRole("switch", { name: /^Announce Weis \(50\)/ });
    await expect(weis).toBeChecked();
    await expect(page.locator(".weis .meld")).toContainText("50: seven of diamonds");
    await weis.uncheck({ force: true });
    const card = page.getByRole("button", { name: /^seven of diamonds/ });
    await card.click({ position: { x: 12, y: 12 } });
    expect(sent).toEqual(["play 7D"]);
  });

  test("an announced Weis is marked at its seat and shown after the first trick", async ({ person }) => {
    const { page } = await person();
    const stage = await openScene(page, "four_weis");
    await page.getByRole("button", { name: /^seven of diamonds/ }).click({ position: { x: 12, y: 12 } });
    expect(stage.sent).toEqual(["play 7D weis"]);
    stage.step();
    await expect(page.locator('[data-own="weis"]')).toHaveText("50");
    stage.step();
    stage.step();
    await expect(page.getByRole("log")).toContainText("You show Weis: +50. 50: seven of diamonds");
    await expect(page.locator("aside .meld")).toBeVisible();
    await expect(page.locator("aside").getByText("You show Weis: +50")).toBeVisible();
  });

  test("another player's Weis is marked at their seat", async ({ person }) => {
    const { page } = await person();
    await openScene(page, "three_rob");
    await expect(page.locator('[data-seat="2"]')).toContainText("Weis 20");
  });

  test("the six of trumps can be exchanged for the turned card", async ({ person }) => {
    const { page } = await person();
    const stage = await openScene(page, "three_rob");
    await expect(page.getByRole("switch", { name: /^Announce Weis/ })).toBeAttached();
    const rob = page.getByRole("button", {
      name: "Rob: exchange the six of hearts for the ace of hearts",
    });
    await rob.click();
    expect(stage.sent).toEqual(["rob"]);
    stage.step();
    await expect(rob).toHaveCount(0);
    await expect(ownCards(page).and(page.locator('[data-card="AH"]'))).toHaveCount(1);
    await expect(page.locator('[data-stock="blind"]')).toContainText("six of hearts");
    await expect(page.getByRole("log")).toContainText("You rob the ace of hearts with the six");
  });

  for (const how of ["tap", "keyboard"] as const) {
    test(`a card played before robbing asks first, by ${how}`, async ({ person }) => {
      const { page } = await person();
      const stage = await openScene(page, "three_rob");
      const rob = page.getByRole("button", { name: /^Rob: exchange/ });
      await rob.waitFor();
      const card = ownCards(page).locator("visible=true").and(page.locator(".open")).first();
      if (how === "tap") await card.click({ position: { x: 12, y: 12 } });
      else await card.press("Enter");
      const keep = page.getByRole("button", { name: /^Play .* without robbing$/ });
      await expect(keep).toBeVisible();
      await expect(rob).toBeFocused();
      expect(stage.sent).toEqual([]);
      await keep.click();
      expect(stage.sent).toHaveLength(1);
      expect(stage.sent[0]).toMatch(/^play .. weis$/);
    });
  }

  test("a player who dropped watches and sees the cards they laid away", async ({ person }) => {
    const { page } = await person();
    await openScene(page, "dropped");
    await expect(page.getByText("You have dropped and are watching this round.")).toBeVisible();
    await expect(page.getByText(/^Your laid-away cards: .*seven of diamonds/)).toBeAttached();
    await expect(ownCards(page)).toHaveCount(0);
    await expect(page.locator(".trick li")).toHaveCount(2);
  });

  test("a spectator sees who plays and no hidden card", async ({ person }) => {
    const { page } = await person();
    await openScene(page, "watched");
    await expect(page.getByText("You are watching.")).toBeVisible();
    await expect(page.locator('[data-seat="0"][data-part="dropped"]')).toContainText("dropped");
    await expect(page.locator(".trick li")).toHaveCount(2);
    await expect(page.getByText(/^Your laid-away cards/)).toHaveCount(0);
    await expect(ownCards(page)).toHaveCount(0);
  });

  test("a safe seat is marked on the mat and on the slate", async ({ person }) => {
    const { page } = await person();
    await openScene(page, "one_safe");
    await expect(page.locator('[data-seat="1"][data-part="safe"]')).toContainText("safe");
    const slate = page.getByRole("region", { name: "Slate" });
    await expect(slate.getByText(/^Strokes: 6\. .* Safe\.$/)).toBeAttached();
    await expect(slate.getByText("Safe at 5 strokes; the last one left loses")).toBeVisible();
  });

  test("an illegal card explains the suit led, the cards held and the legal ones", async ({ person }) => {
    const { page } = await person();
    await openScene(page, "three_rob");
    const card = page.getByRole("button", { name: /^king of spades/ });
    await card.click({ position: { x: 12, y: 12 }, force: true });
    await expect(page.locator(".why")).toHaveText(
      "Diamonds were led and you hold diamonds; you may follow or trump (hearts).",
    );
  });

  test("the round result lists tricks, Weis, Stöck and seats that did not play", async ({ person }) => {
    const { page } = await person();
    await openScene(page, "round");
    const row = (name: string) => page.getByRole("row", { name: new RegExp(`^${name}`) });
    await expect(row("Anna").getByRole("cell")).toHaveText(["29", "50", "20", "99", "stroke"]);
    await expect(row("Reto").getByRole("cell").last()).toContainText("nothing");
    await expect(row("Lea")).toContainText("dropped");
    await expect(row("Urs")).toContainText("safe");
  });

  test("the only player left scores two strokes without play", async ({ person }) => {
    const { page } = await person();
    const stage = await openScene(page, "alone");
    stage.step();
    const sheet = page.getByRole("region", { name: "Round 1 is over" });
    await expect(sheet).toContainText("All others dropped: you write two strokes without playing.");
    await expect(sheet.getByText("two strokes", { exact: true })).toBeAttached();
  });

  test("the match result names the loser and the winners", async ({ person }) => {
    const { page } = await person();
    await openScene(page, "lost");
    await expect(page.getByRole("heading", { name: "You are the last one left and lose" })).toBeVisible();
    await page.keyboard.press("Shift");
    await expect(page.getByRole("heading", { name: "You are the last one left and lose" })).toBeFocused();
    await expect(page.getByText("Safe and winners: Reto, Lea, and Urs")).toBeVisible();
    const other = await person();
    await openScene(other.page, "won");
    await expect(other.page.getByRole("heading", { name: "You are safe and win!" })).toBeVisible();
    await expect(other.page.getByText("Lea is the last one left and loses")).toBeVisible();
  });

  test("answers, Weis and robbing with the keyboard alone", async ({ person }) => {
    const { page } = await person();
    const keys = page.keyboard;
    const tabTo = async (selector: string): Promise<void> => {
      const wanted = page.locator(selector);
      await expect(wanted).toBeAttached();
      for (let step = 0; step < 30; step++) {
        if (await wanted.evaluate((one) => one === document.activeElement)) return;
        await keys.press("Tab");
      }
      throw new Error(`${selector} is out of reach of the keyboard`);
    };
    const asked = await openScene(page, "three_asked");
    await tabTo("[data-answer=drop]");
    await keys.press("Enter");
    await expect.poll(() => asked.sent).toEqual(["drop"]);

    const other = (await person()).page;
    const first = await openScene(other, "three_rob");
    await other.locator(".first").waitFor();
    const switched = other.locator(".weis input");
    while (!(await switched.evaluate((one) => one === document.activeElement))) {
      await other.keyboard.press("Tab");
    }
    await other.keyboard.press("Space");
    await expect(switched).not.toBeChecked();
    await other.keyboard.press("Shift+Tab");
    await other.keyboard.press("Enter");
    await expect.poll(() => first.sent).toEqual(["rob"]);
    first.step();
    await expect(switched).not.toBeChecked();
    await other.keyboard.press("1");
    while ((await other.locator(":focus").getAttribute("aria-disabled")) === "true") {
      await other.keyboard.press("ArrowRight");
    }
    await other.keyboard.press("Enter");
    await expect.poll(() => first.sent.at(-1)).toMatch(/^play ..$/);
  });
});

const SHOWN = [
  "four_asked",
  "four_weis",
  "three_asked",
  "three_rob",
  "two_asked",
  "two_play",
  "two_watched",
  "dropped",
  "watched",
  "one_safe",
  "two_left",
  "round",
  "lost",
];

testLayout(
  SHOWN,
  ".plate",
  ".trick li",
  ".stocks .pile, .stocks .label",
  ".answer",
  ".first > *",
  ".corner > *",
);
