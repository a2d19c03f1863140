// The tutorial of each game, played by following the coach.
import type { Page } from "@playwright/test";
import { DESKTOP, expectAccessible, overlaps, PHONE } from "./assertions";
import { expect, expectNoOverflow, POLLING, playCard, tableShown, test, type Settings } from "./page-actions";

interface Lesson {
  game: string;
  locale: NonNullable<Settings["locale"]>;
  size: { width: number; height: number };
  /** Words of the coach's first and last text. */
  aim: RegExp;
  score: RegExp;
}

const LESSONS: Lesson[] = [
  { game: "molotov", locale: "en", size: PHONE, aim: /few points/, score: /You end with 18 points/ },
  { game: "offenbach", locale: "fr", size: PHONE, aim: /peu de points/, score: /avec 26 points/ },
  { game: "molotow", locale: "it", size: PHONE, aim: /due estremi/, score: /Chiudi con 14 punti/ },
  { game: "differenzler", locale: "de", size: PHONE, aim: /geheim an/, score: /49 angesagt und 58/ },
  { game: "jass", locale: "en", size: DESKTOP, aim: /21 points/, score: /You have 68 points/ },
  {
    game: "schieber",
    locale: "de",
    size: PHONE,
    aim: /Partner sitzt gegenüber/,
    score: /Ihr habt 213 Punkte/,
  },
  { game: "coiffeur", locale: "fr", size: PHONE, aim: /chaque ligne/, score: /on écrit 804/ },
  { game: "i-doubt-it", locale: "de", size: PHONE, aim: /alle Karten los/, score: /zusammen 45 Chips/ },
];

const coach = (page: Page) => page.locator(".coach");
const goOn = (page: Page) => coach(page).locator("button.primary");
const suggested = (page: Page) => page.locator("[data-suggested]");
const score = (page: Page) => page.locator(".sheet .score");

async function learn(page: Page, game: string): Promise<void> {
  await page.goto("/");
  await page.locator(`.tile input[value="${game}"]`).check();
  await page.locator(".setup .learn").click();
  await tableShown(page);
}

/** The state of the page: the next step, and everything that a step can change. */
interface Stand {
  step: "read" | "do" | "over";
  all: string;
}

/** Waits until there is something new to do, and returns it. */
async function stand(page: Page, before: string | null): Promise<Stand> {
  const handle = await page.waitForFunction(
    (known): Stand | false => {
      const one = (selector: string): HTMLElement | null => document.querySelector(selector);
      // An action sent but not yet answered is still marked, but disabled.
      const open = "[data-suggested]:not(:disabled, [aria-disabled=true])";
      const marked = [...document.querySelectorAll(open)].map((mark) => mark.outerHTML.slice(0, 160));
      const step = one(".sheet .score")
        ? "over"
        : one(".coach button.primary")
          ? "read"
          : marked.length > 0 && "do";
      const all = [one("main")?.textContent, ...marked].join("");
      return step && all !== known && { step, all };
    },
    before,
    POLLING,
  );
  return (await handle.jsonValue()) as Stand;
}

/** Records every text that the tutorial shows from now on, however briefly. */
async function noteTexts(page: Page): Promise<() => Promise<string[]>> {
  const texts = await page.evaluateHandle(() => {
    const found = new Set<string>();
    const note = (): void => {
      const words = document.querySelector<HTMLElement>(".coach .words")?.innerText;
      if (words) found.add(words.replace(/\s+/g, " "));
    };
    new MutationObserver(note).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
    note();
    return found;
  });
  return () => texts.evaluate((found) => [...found]);
}

/** Follows the tutorial until the round is over; returns the texts shown. */
async function follow(page: Page): Promise<string[]> {
  const shown = await noteTexts(page);
  for (let now = await stand(page, null); now.step !== "over"; now = await stand(page, now.all)) {
    await expectNoOverflow(page);
    // While the coach explains a trick, its cards cover no plate; those of the draw may, briefly.
    const covered = () => overlaps(page, ".plate .name, .plate .cards", ".trick li:not([inert])");
    await expect.poll(covered).toEqual([]);
    const button = now.step === "read" ? goOn(page) : suggested(page).first();
    // The target may be gone by then: choosing a claim's cards changes the page under the pointer, and the
    // round may have ended meanwhile.
    await button.click({ position: { x: 12, y: 12 }, timeout: 2_000 }).catch(() => undefined);
  }
  return shown();
}

for (const { game, locale, size, aim, score: end } of LESSONS) {
  test(`${game}: following the coach finishes the tutorial`, async ({ person }) => {
    const { page } = await person({ locale, nickname: "Mia" }, size);
    await learn(page, game);
    await expect(coach(page).locator(".words")).toHaveText(aim);
    const told = await follow(page);
    await expect(score(page)).toHaveText(end);
    await expectNoOverflow(page);
    expect(told.length).toBeGreaterThan(9);
    expect(told.join()).not.toContain("{");
  });
}

test("bots wait until a hint has been read, also after a reload", async ({ person }) => {
  const { page } = await person({ nickname: "Mia" }, PHONE);
  await learn(page, "molotov");
  await expect(coach(page)).toContainText("Welcome!");
  await page.waitForTimeout(800);
  await expect(page.locator(".mat [data-card]")).toHaveCount(0);
  await page.reload();
  await expect(coach(page)).toContainText("Welcome!");
  await goOn(page).click();
  await expect(coach(page)).toContainText("The suit led is");
  await page.reload();
  await expect(coach(page)).toContainText("The suit led is");
  await expect(suggested(page)).toHaveAttribute("data-card", "KD");
});

test("the learner may play another card, hide hints, and play on after the round", async ({ person }) => {
  const { page } = await person({ nickname: "Mia" });
  await learn(page, "molotov");
  await goOn(page).click();
  await page.locator('#hand button[data-card="QD"]').click({ position: { x: 14, y: 14 } });
  await expect(page.locator('#hand button[data-card="QD"]')).toHaveCount(0);
  await page.getByRole("button", { name: "Hide the hints" }).click();
  await expect(coach(page).locator(".words")).toHaveCount(0);
  while (!(await page.locator(".sheet").isVisible())) {
    const card = page.locator("#hand button[aria-disabled=false]").first();
    await expect(card.or(page.locator(".sheet"))).toBeVisible();
    if (await card.isVisible()) await playCard(page);
  }
  await expect(score(page)).toContainText("You now know the game.");
  await page.getByRole("button", { name: "Next round" }).click();
  await expect(page.locator("#hand button")).toHaveCount(9);
  await expect(coach(page)).toHaveCount(0);
});

test("the coach is accessible in light and dark themes", async ({ person }) => {
  for (const theme of ["light", "dark"] as const) {
    const { page } = await person({ nickname: "Mia", theme }, PHONE);
    await learn(page, "molotov");
    await expect(coach(page).getByRole("status")).toContainText("Welcome!");
    await expect(goOn(page)).not.toBeFocused();
    await expectAccessible(page, ".coach");
    await goOn(page).click();
    await expect(suggested(page)).toHaveAccessibleName(/, playable, the coach’s tip$/);
    await expectAccessible(page, ".coach");
  }
});
