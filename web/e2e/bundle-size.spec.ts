// The compressed size of the scripts and styles that a phone must fetch before it shows anything. Decks,
// sounds and pictures are loaded on demand and not counted.
import { gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { PHONE } from "./assertions";
import { chooseGame, expect, ownCards, playNow, test } from "./page-actions";

const MOST = 130 * 1024;
/** A smaller total means that the measurement has failed. */
const LEAST = 50_000;
const LATER = /\/assets\/(pictures|synth)-/;

/** Starts adding up the scripts and styles that a page fetches; returns a function that gives the sum. */
function weigh(page: Page): () => Promise<number> {
  const fetched: Promise<number>[] = [];
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (!/\.(js|css)$/.test(pathname) || LATER.test(pathname)) return;
    fetched.push(response.body().then((body) => gzipSync(body).length));
  });
  return async () => (await Promise.all(fetched)).reduce((sum, one) => sum + one, 0);
}

for (const locale of ["de", "fr"] as const) {
  test(`the start page weighs at most 130 KiB, ${locale}`, async ({ person }) => {
    const { page } = await person({ locale }, PHONE);
    const weight = weigh(page);
    await page.goto("/");
    await expect(page.locator(".tile").first()).toBeVisible();
    const weighed = await weight();
    expect(weighed).toBeGreaterThan(LEAST);
    expect(weighed).toBeLessThan(MOST);
  });
}

for (const [game, locale] of [
  ["Schieber", "fr"],
  ["I Doubt It", "de"],
  ["Molotov", "en"],
] as const) {
  test(`a link to a running table weighs at most 130 KiB: ${game}, ${locale}`, async ({ person }) => {
    const { page } = await person({}, PHONE);
    await chooseGame(page, game);
    await playNow(page);
    await expect(ownCards(page).first()).toBeVisible();
    await page.evaluate((chosen) => {
      const settings = JSON.parse(localStorage.getItem("jasstisch.settings") ?? "{}") as object;
      localStorage.setItem("jasstisch.settings", JSON.stringify({ ...settings, locale: chosen }));
    }, locale);
    const weight = weigh(page);
    await page.reload();
    await expect(ownCards(page).first()).toBeVisible();
    const weighed = await weight();
    expect(weighed).toBeGreaterThan(LEAST);
    expect(weighed).toBeLessThan(MOST);
  });
}
