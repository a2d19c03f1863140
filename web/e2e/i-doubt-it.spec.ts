import type { Locator, Page } from "@playwright/test";
import { expectFitsAndAccessible, expectTappable, overlaps, PHONE } from "./assertions";
import { fastForward } from "./fast-forward";
import { openScene } from "./scenes";
import {
  chooseGame,
  expect,
  waitGone,
  POLLING,
  openLobby,
  ownCards,
  playNow,
  setNumber,
  test,
} from "./page-actions";

const panel = (page: Page): Locator => page.getByRole("form", { name: "Which rank do you claim?" });
const doubtButton = (page: Page): Locator => page.getByRole("button", { name: "I doubt it" });
const passButton = (page: Page): Locator => page.getByRole("button", { name: "Pass", exact: true });
const raised = (page: Page): Locator => page.locator("#hand button[aria-pressed=true]");

type Moment = "lay" | "answer" | "round" | "over";

/** Waits until the page needs an action of its reader, and returns which. */
async function nextDecision(page: Page): Promise<Moment> {
  const handle = await page.waitForFunction(
    () => {
      const there = (selector: string): boolean => document.querySelector(selector) !== null;
      if (there(".end .actions button")) return "over";
      if (there(".sheet button")) return "round";
      // A button just pressed stays disabled until the server has answered.
      if (there(".claim .answers button[aria-disabled=false]")) return "answer";
      const mine = there(".own [data-mine=true]") && !there(".claim");
      return mine ? "lay" : false;
    },
    undefined,
    POLLING,
  );
  return (await handle.jsonValue()) as Moment;
}

interface Reveal {
  truth: string;
  cards: string[];
  text: string;
}

/** Stores what each reveal showed, so that tests can check it after it has gone. */
async function watchReveals(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const kept: Reveal[] = [];
    Object.assign(window, { reveals: kept });
    let last: Element | null = null;
    new MutationObserver(() => {
      const shown = document.querySelector<HTMLElement>(".reveal");
      if (shown && shown !== last) {
        const faces = [...shown.querySelectorAll("[data-card]")];
        kept.push({
          truth: shown.dataset.truth ?? "",
          cards: faces.map((face) => face.getAttribute("data-card") ?? ""),
          text: shown.textContent ?? "",
        });
      }
      last = shown;
    }).observe(document, { childList: true, subtree: true });
  });
}

const reveals = (page: Page): Promise<Reveal[]> =>
  page.evaluate(() => (window as unknown as { reveals: Reveal[] }).reveals);

/** The reveal with this number, counted from the first one on this page. */
async function reveal(page: Page, number: number): Promise<Reveal | undefined> {
  await expect.poll(async () => (await reveals(page)).length).toBeGreaterThanOrEqual(number);
  return (await reveals(page))[number - 1];
}

/** Taps the part of a card that no other card covers. */
async function tap(card: Locator): Promise<void> {
  await card.click({ position: { x: 12, y: 16 } });
}

/** Raises these cards, lowering all others. */
async function choose(page: Page, cards: readonly string[]): Promise<void> {
  while ((await raised(page).count()) > 0) await tap(raised(page).first());
  for (const card of cards) await tap(page.locator(`#hand button[data-card="${card}"]`));
}

/** Lays these cards under a claim. */
async function lay(page: Page, cards: readonly string[], rank: string): Promise<void> {
  await choose(page, cards);
  await panel(page)
    .getByRole("radio", { name: new RegExp(`^${rank}`) })
    .check({ force: true });
  await panel(page).getByRole("button", { name: "Lay and claim" }).click();
  await waitGone(page, "form.lay");
}

async function hand(page: Page): Promise<string[]> {
  return ownCards(page).evaluateAll((all) => all.map((card) => card.getAttribute("data-card") ?? ""));
}

const NAMES: Record<string, string> = {
  "2": "Twos",
  "3": "Threes",
  "4": "Fours",
  "5": "Fives",
  "6": "Sixes",
  "7": "Sevens",
  "8": "Eights",
  "9": "Nines",
  T: "Tens",
  J: "Jacks",
  Q: "Queens",
  K: "Kings",
  A: "Aces",
};
const RANKS = Object.keys(NAMES);

const ofRank = (cards: readonly string[], rank: string): string[] =>
  cards.filter((card) => card.startsWith(rank));

/** Three cards that do not match the claim, and the rank to claim. */
function lie(cards: readonly string[]): { laid: string[]; rank: string } {
  const laid = [...cards].slice(0, 3);
  const rank = RANKS.find((one) => !laid.some((card) => card.startsWith(one)));
  return { laid, rank: NAMES[rank ?? "A"] ?? "" };
}

async function chips(page: Page): Promise<number[]> {
  const rows = page.getByRole("row");
  const cells = await rows.evaluateAll((all) =>
    all
      .map((row) => row.querySelectorAll("td"))
      .filter((own) => own.length === 3)
      .map((own) => own[1]?.innerText ?? ""),
  );
  return cells.map((text) => Number(text.replace("−", "-")));
}

test("a whole match of I Doubt It with claims, doubts and passes", async ({ person }) => {
  test.setTimeout(300_000);
  const { page } = await person({ nickname: "Anna" });
  await watchReveals(page);
  await chooseGame(page, "I Doubt It");
  await page.getByRole("radio", { name: "3", exact: true }).check();
  await setNumber(page, "Rounds", 2);
  await page.getByText("House rules").click();
  await page.getByRole("spinbutton", { name: /^Claims in a deal/ }).fill("20");
  await playNow(page);
  await nextDecision(page);
  await fastForward([page], { rounds: 1 });

  let asked = 0;
  let doubts = 0;
  let rounds = 0;
  for (;;) {
    const moment = await nextDecision(page);
    if (moment === "over") break;
    if (moment === "lay") {
      const { laid, rank } = lie(await hand(page));
      await lay(page, laid, rank);
    } else if (moment === "answer" && asked++ % 3 === 0) {
      const before = (await reveals(page)).length;
      await doubtButton(page).click();
      expect((await reveal(page, before + 1))?.cards).toHaveLength(3);
      doubts += 1;
    } else if (moment === "answer") {
      await passButton(page).click();
    } else {
      rounds += 1;
      const changes = await chips(page);
      expect(changes).toHaveLength(3);
      expect(changes.reduce((sum, one) => sum + one, 0)).toBe(0);
      await expect(page.locator(".sheet")).toContainText(/no cards left|after 20 claims/);
      await page.getByRole("button", { name: "Next round" }).click();
      await waitGone(page, ".sheet button");
    }
  }
  expect(doubts).toBeGreaterThan(0);
  expect(rounds).toBe(1);
  await expect(page.getByRole("heading", { level: 2, name: /win/ })).toBeVisible();
  await expect(page.getByRole("region", { name: "Slate" }).getByText(/^Chips: −?\d+$/)).toHaveCount(3);
});

test("doubted lies and truths are revealed, and undoubted cards stay hidden", async ({ person }) => {
  const anna = await person({ nickname: "Anna" });
  const reto = await person({ nickname: "Reto" });
  for (const { page } of [anna, reto]) await watchReveals(page);
  await chooseGame(anna.page, "I Doubt It");
  await anna.page.getByRole("radio", { name: "2", exact: true }).check();
  await anna.page.getByText("House rules").click();
  await anna.page.getByRole("combobox", { name: "First dealer" }).selectOption("0");
  await openLobby(anna.page);
  await reto.page.goto(await anna.page.getByRole("textbox", { name: "Link" }).inputValue());
  await reto.page.getByRole("button", { name: "Sit here: Seat 2" }).click();
  await anna.page.getByRole("button", { name: "Start the match" }).click();
  await expect(ownCards(anna.page)).toHaveCount(26);

  // Reto lies and is doubted: three cards are turned up and go back to Reto.
  expect(await nextDecision(reto.page)).toBe("lay");
  const { laid, rank } = lie(await hand(reto.page));
  await choose(reto.page, laid);
  await expect(raised(reto.page)).toHaveCount(3);
  await expect(reto.page.getByText("3/3")).toBeVisible();
  const fourth = (await hand(reto.page)).find((card) => !laid.includes(card)) ?? "";
  await tap(reto.page.locator(`#hand button[data-card="${fourth}"]`));
  await expect(reto.page.getByText(/^Three cards are chosen/)).toBeVisible();
  await expect(raised(reto.page)).toHaveCount(3);
  await lay(reto.page, laid, rank);
  await expect(ownCards(reto.page)).toHaveCount(23);

  const claim = `Reto claims three ${rank.toLowerCase()}`;
  await expect(anna.page.getByRole("heading", { name: claim })).toBeVisible();
  for (const card of laid) await expect(anna.page.locator(`[data-card="${card}"]`)).toHaveCount(0);
  expect(await nextDecision(anna.page)).toBe("answer");
  await doubtButton(anna.page).click();
  for (const { page } of [anna, reto]) {
    const shown = await reveal(page, 1);
    expect(shown).toMatchObject({ truth: "false", cards: laid });
    expect(shown?.text).toContain(page === anna.page ? "Reto takes 3 cards" : "You take 3 cards");
  }
  await expect(anna.page.getByRole("log")).toContainText("A lie!");
  await expect(ownCards(reto.page)).toHaveCount(26);

  // Anna claims truthfully; the rank is suggested, and Reto pays for the doubt.
  expect(await nextDecision(anna.page)).toBe("lay");
  const own = await hand(anna.page);
  // Only a hand of just two of every rank has no three of a kind: one deal in 38,000.
  const truth = RANKS.find((one) => ofRank(own, one).length >= 3) ?? "";
  const three = ofRank(own, truth).slice(0, 3);
  expect(three).toHaveLength(3);
  await choose(anna.page, three);
  await expect(panel(anna.page).getByRole("radio", { checked: true })).toHaveAccessibleName(
    `${NAMES[truth]}, the truth`,
  );
  await expect(panel(anna.page)).toContainText("That is true.");
  await panel(anna.page).getByRole("button", { name: "Lay and claim" }).click();
  expect(await nextDecision(reto.page)).toBe("answer");
  await doubtButton(reto.page).click();
  expect(await reveal(reto.page, 2)).toMatchObject({ truth: "true", cards: three });
  await expect(ownCards(reto.page)).toHaveCount(29);
  await expect(ownCards(anna.page)).toHaveCount(23);

  // Nobody doubts: the cards go to the middle and stay hidden.
  expect(await nextDecision(reto.page)).toBe("lay");
  const known = [...laid, ...three];
  const hidden = lie((await hand(reto.page)).filter((card) => !known.includes(card)));
  await lay(reto.page, hidden.laid, hidden.rank);
  expect(await nextDecision(anna.page)).toBe("answer");
  await passButton(anna.page).click();
  await expect(anna.page.getByRole("img", { name: "Cards in the middle: 3" })).toBeVisible();
  const claims = anna.page.getByRole("complementary").getByRole("listitem");
  await expect(claims.filter({ hasText: "Nobody doubts it." })).toHaveCount(1);
  for (const card of hidden.laid) {
    await expect(anna.page.locator(`[data-card="${card}"]`)).toHaveCount(0);
  }

  // A reload in mid-deal shows the same claims.
  await anna.page.reload();
  await nextDecision(anna.page);
  await expect(claims.filter({ hasText: /claims? three/ })).toHaveCount(3);
  await expect(ownCards(anna.page)).toHaveCount(23);
});

test("claims, doubts and passes with the keyboard alone", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  const keys = page.keyboard;
  const focused = page.locator(":focus");
  await chooseGame(page, "I Doubt It");
  await playNow(page, "Enter");

  const done = new Set<string>();
  while (done.size < 3) {
    const moment = await nextDecision(page);
    if (moment === "round" || moment === "over") break;
    if (moment === "lay") {
      await page.locator("#hand").focus();
      await keys.press("ArrowRight");
      await expect(focused).toHaveAttribute("data-card", /^..$/);
      await keys.press("Home");
      await keys.press("Enter");
      await keys.press("ArrowRight");
      await keys.press(" ");
      await keys.press("End");
      await keys.press("Enter");
      await expect(raised(page)).toHaveCount(3);
      await keys.press("Tab");
      await expect(focused).toHaveAttribute("type", "radio");
      await keys.press("ArrowRight");
      await expect(panel(page)).toContainText(/You lay three cards and claim three \w+\./);
      await keys.press("Tab");
      await expect(focused).toHaveText("Lay and claim");
      await keys.press("Enter");
      await expect(panel(page)).toHaveCount(0);
      done.add("lay");
    } else {
      const doubts = done.has("pass");
      await page.getByRole("region", { name: / claims three / }).focus();
      await keys.press("Tab");
      if (!doubts) await keys.press("Tab");
      await expect(focused).toHaveText(doubts ? "I doubt it" : "Pass");
      await keys.press("Enter");
      done.add(doubts ? "doubt" : "pass");
    }
  }
  expect([...done].sort()).toEqual(["doubt", "lay", "pass"]);
});

for (const [players, locale, theme] of [
  [8, "de", "light"],
  [4, "fr", "dark"],
  [2, "it", "light"],
] as const) {
  test(`${players} on a phone in ${locale}, ${theme}: everything fits`, async ({ person }) => {
    const { page } = await person({ nickname: "Anna-Katharina", theme }, PHONE);
    await chooseGame(page, "I Doubt It");
    await page.getByRole("radio", { name: String(players), exact: true }).check();
    await page.evaluate((chosen) => {
      const key = "jasstisch.settings";
      const stored = JSON.parse(localStorage.getItem(key) ?? "{}") as object;
      localStorage.setItem(key, JSON.stringify({ ...stored, locale: chosen }));
    }, locale);
    await playNow(page);
    await nextDecision(page);
    await page.reload();

    const seen = new Set<Moment>();
    for (let turns = 0; turns < 12 && seen.size < 2; turns += 1) {
      const moment = await nextDecision(page);
      if (moment === "round" || moment === "over") break;
      for (const plate of await page.locator(".plate").all()) {
        await expect(plate).toBeInViewport({ ratio: 1 });
      }
      await expectTappable(page);
      if (moment === "lay") {
        await choose(page, (await hand(page)).slice(-3));
        await page.locator("form.lay input").nth(4).check({ force: true });
        if (!seen.has("lay")) await expectFitsAndAccessible(page);
        await page.locator("form.lay button").click();
        await expect(page.locator("form.lay")).toHaveCount(0);
      } else {
        if (!seen.has("answer")) await expectFitsAndAccessible(page);
        await page.locator(".answers button").last().click();
      }
      seen.add(moment);
    }
    expect(seen.size).toBe(2);
  });
}

const FIVE = ["Anna", "Reto", "Lea", "Urs", "Bea"];

test("cards drawn from the middle are announced and marked as new", async ({ person }) => {
  const { page } = await person();
  const stage = await openScene(page, "drawing", FIVE);
  await expect(page.getByRole("heading", { name: "Bea claims three kings" })).toBeVisible();
  stage.step();
  await expect(page.getByRole("log")).toContainText("You draw 2 cards from the middle.");
  await expect(page.getByRole("button", { name: /, just drawn$/ })).toHaveCount(2);
  // With three cards left all must be laid: they are already chosen, and only the rank is missing.
  await expect(raised(page)).toHaveCount(3);
  await panel(page).getByRole("radio", { name: "Queens" }).check({ force: true });
  await panel(page).getByRole("button", { name: "Lay and claim" }).click();
  await expect.poll(() => stage.sent).toEqual([expect.stringMatching(/^lay .. .. .. as Q$/)]);
});

test("missed turns are announced to everyone", async ({ person }) => {
  const { page } = await person();
  await watchReveals(page);
  const stage = await openScene(page, "missing", FIVE);
  await expect(page.getByRole("heading", { name: "You claim three aces" })).toBeVisible();
  stage.step();
  stage.step();
  expect(await reveal(page, 1)).toMatchObject({ truth: "false" });
  for (const name of FIVE.slice(1)) {
    const missed = `${name} cannot make three cards and misses a turn.`;
    await expect(page.getByRole("log")).toContainText(missed);
    await expect(page.getByRole("complementary").getByText(missed)).toBeVisible();
  }
  await expect(ownCards(page)).toHaveCount(48);
});

test("a hand of 48 cards can be read and tapped on a phone", async ({ person }) => {
  const { page } = await person({}, PHONE);
  const stage = await openScene(page, "missing", FIVE);
  await expect(page.getByRole("heading", { name: "You claim three aces" })).toBeVisible();
  expect(await overlaps(page, ".plate", ".claim")).toEqual([]);
  stage.step();
  stage.step();
  await expect(ownCards(page)).toHaveCount(48);
  await expectTappable(page);
  await choose(page, (await hand(page)).slice(-3));
  await expect(panel(page)).toBeInViewport({ ratio: 1 });
  await expectFitsAndAccessible(page);
});

test("on a phone held sideways the claim lies on the mat, off the hand on either side", async ({
  person,
}) => {
  const { page } = await person({}, { width: 740, height: 360 });
  await openScene(page, "last_card", FIVE);
  await expect(panel(page)).toBeInViewport({ ratio: 1 });
  expect(await overlaps(page, "form.lay", "#hand")).toEqual([]);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("radio", { name: "Left-handed" }).check();
  await page.keyboard.press("Escape");
  await expect(panel(page)).toBeInViewport({ ratio: 1 });
  expect(await overlaps(page, "form.lay", "#hand")).toEqual([]);
});

test("with any number of last cards allowed, a single one can be claimed (ID5)", async ({ person }) => {
  const { page } = await person();
  const stage = await openScene(page, "last_card", FIVE);
  await expect(ownCards(page)).toHaveCount(1);
  await expect(panel(page)).toBeVisible();
  await panel(page).getByRole("radio", { name: "Jacks" }).check({ force: true });
  await expect(panel(page)).toContainText("You lay one card and claim one jack.");
  await panel(page).getByRole("button", { name: "Lay and claim" }).click();
  await expect.poll(() => stage.sent).toEqual(["lay 8S as J"]);
});

test("the final reveal is shown before the result of the deal", async ({ person }) => {
  const { page } = await person();
  await watchReveals(page);
  const stage = await openScene(page, "last_doubted", FIVE);
  await expect(page.getByRole("heading", { name: "You claim one eight" })).toBeVisible();
  stage.step();
  stage.step();
  expect(await reveal(page, 1)).toMatchObject({ truth: "true", cards: ["8S"] });
  const sheet = page.getByRole("region", { name: "Round 1 is over" });
  await expect(sheet).toContainText("You have no cards left. Claims: 16.");
  expect((await chips(page))[0]).toBe(52);
});

test("a caught liar pays the chip of the house rule (ID9)", async ({ person }) => {
  const { page } = await person();
  await watchReveals(page);
  const stage = await openScene(page, "fee", FIVE);
  await expect(page.getByRole("heading", { name: "You claim three aces" })).toBeVisible();
  stage.step();
  expect((await reveal(page, 1))?.text).toContain("You pay Reto one chip");
});

test.describe("at a lifelike pace", () => {
  test.use({ pace: "lifelike" });

  for (const way of ["button", "key"] as const) {
    test(`the reveal after a doubt can be skipped with a ${way}`, async ({ person }) => {
      const { page } = await person({ speed: "calm" });
      const stage = await openScene(page, "fee", FIVE);
      await expect(page.getByRole("heading", { name: "You claim three aces" })).toBeVisible();
      stage.step();
      const skip = page.getByRole("button", { name: "Skip" });
      await expect(skip).toBeVisible();
      await expect(page.locator(".reveal")).toBeVisible();
      const shown = Date.now();
      if (way === "button") await skip.click();
      else await page.keyboard.press("Escape");
      await expect(page.locator(".reveal")).toHaveCount(0);
      await expect(skip).toHaveCount(0);
      expect(Date.now() - shown).toBeLessThan(3000); // unskipped, it is shown for 4.5 seconds
      await expect(ownCards(page)).toHaveCount(12);
    });
  }
});

test("a deal that ends at the claim limit says so, and the match is over", async ({ person }) => {
  const { page } = await person();
  const stage = await openScene(page, "last_claim", FIVE);
  await expect(page.getByRole("heading", { name: "Bea claims three kings" })).toBeVisible();
  stage.step();
  await expect(page.getByRole("heading", { level: 2, name: "Bea wins" })).toBeVisible();
  await expect(page.getByText("The deal ended after 20 claims.")).toBeVisible();
});
