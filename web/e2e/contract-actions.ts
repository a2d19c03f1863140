// Actions of a person at a table of Schieber or Coiffeur, for the tests of both games.
import type { Page } from "@playwright/test";
import { waitGone, POLLING, playCard } from "./page-actions";

type Moment = "announce" | "play" | "round" | "over";

/** Waits until the page needs an action of its reader, and returns which. */
async function nextDecision(page: Page): Promise<Moment> {
  const handle = await page.waitForFunction(
    () => {
      const there = (selector: string): boolean => document.querySelector(selector) !== null;
      if (there(".end .actions button")) return "over";
      if (there(".sheet button.primary")) return "round";
      if (there(".choose button[aria-disabled=false]")) return "announce";
      return there("#hand button.open") && !there(".stack > *") ? "play" : false;
    },
    undefined,
    POLLING,
  );
  return (await handle.jsonValue()) as Moment;
}

/** Announces the first open contract, through the second step if it has one. */
async function announce(page: Page): Promise<void> {
  const line = page.locator(".choose [data-line]").last();
  if ((await line.count()) === 0) await page.locator('.choose [data-choice="push"]').click();
  else {
    const step = await line.getAttribute("data-step");
    await line.click();
    if (step !== null) await page.locator(`.choose [data-choice^="${step} "]`).first().click();
  }
  await waitGone(page, ".choose button[aria-disabled=false]");
}

/** Pushes if that is legal, else announces. */
async function push(page: Page): Promise<void> {
  const button = page.locator('.choose [data-choice="push"]');
  if ((await button.count()) === 0) return announce(page);
  await button.click();
  await waitGone(page, ".choose button[aria-disabled=false]");
}

/**
 * Plays any legal actions until a round or the match is over; every Weis is announced. Returns what occurred,
 * added to `met`.
 */
export async function playRound(page: Page, met = new Set<string>()): Promise<Set<string>> {
  for (;;) {
    const moment = await nextDecision(page);
    met.add(moment);
    if (moment === "over" || moment === "round") return met;
    if (moment === "announce") {
      // Pushes the first time, so that both a push and an announcement occur.
      await (met.has("push") ? announce(page) : push(page));
      met.add("push");
    } else {
      await playCard(page);
    }
  }
}

/** Continues after a round and plays to the end of the match. */
export async function playToTheEnd(page: Page, met = new Set<string>()): Promise<Set<string>> {
  while ((await nextDecision(page)) === "round") {
    await page.locator(".sheet button.primary").click();
    await waitGone(page, ".sheet button.primary");
    await playRound(page, met);
  }
  return met;
}
