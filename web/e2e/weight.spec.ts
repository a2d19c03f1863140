// Everything that a phone fetches over the wire, from the first request until the page is at rest: pages,
// scripts, styles, JSON, fonts, pictures, what the service worker fetches, and the messages of a table.
import type { Page } from "@playwright/test";
import { PHONE } from "./assertions";
import { expect, METERED, test, type Metered } from "./metered";
import { chooseGame, ownCards, playNow } from "./page-actions";
import { test as withThirdPartyGames } from "./third-party-games";
import type { Exchange, WireMeter } from "./wire-meter";

/** Milliseconds without a request after which the page is at rest. */
const QUIET_MS = 1_000;
/** A smaller total means that the measurement has failed. */
const LEAST = 50_000;

/** Waits until the service worker is there and nothing more is fetched; what was fetched until then. */
async function atRest(page: Page, meter: WireMeter): Promise<Exchange[]> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const all: Exchange[] = [];
  for (;;) {
    // Measured in silence, not in speed: a slow machine only takes longer.
    await page.waitForTimeout(QUIET_MS);
    const found = meter.take();
    all.push(...found);
    if (found.length === 0 && !meter.busy) return all;
  }
}

const bytes = (all: readonly Exchange[]): number => all.reduce((sum, one) => sum + one.bytes, 0);

/** Expects at most so many bytes and requests; a failure lists them. */
function expectWithin(all: readonly Exchange[], most: { bytes: number; requests: number }): void {
  const told = all.map((one) => `${one.bytes} ${one.path}`).join("\n");
  expect(bytes(all), told).toBeLessThanOrEqual(most.bytes);
  expect(all.length, told).toBeLessThanOrEqual(most.requests);
}

async function openStartPage(page: Page): Promise<void> {
  await page.goto("/");
  await expect(page.locator(".tile").first()).toBeVisible();
}

for (const locale of ["de-CH", "fr-CH"]) {
  test(`the start page weighs at most 120 kB, and 5 kB the second time: ${locale}`, async ({
    phone,
    meter,
  }) => {
    const page = await (await phone(locale)).newPage();
    await openStartPage(page);
    const first = await atRest(page, meter);
    expect(bytes(first)).toBeGreaterThan(LEAST);
    expectWithin(first, { bytes: 120_000, requests: 16 });
    const languages = first.flatMap(({ path }) => /\/assets\/(de|fr|it|en)-/.exec(path)?.[1] ?? []);
    expect(languages).toEqual([locale.slice(0, 2)]);

    await openStartPage(page);
    expectWithin(await atRest(page, meter), { bytes: 5_000, requests: 8 });
  });
}

/** Starts a match against bots, and opens the link to its table with a new profile of the same person. */
async function openRunningTable(
  player: Page,
  game: string,
  phone: Metered["phone"],
  locale: string,
): Promise<Page> {
  await chooseGame(player, game);
  await playNow(player);
  await expect(ownCards(player).first()).toBeVisible();
  const context = await phone(locale);
  await context.addCookies(await player.context().cookies());
  const page = await context.newPage();
  await page.goto(new URL(player.url()).pathname);
  await expect(ownCards(page).first()).toBeVisible();
  return page;
}

// At these tables the match waits for the reader: no play of bots is counted.
for (const [game, locale] of [
  ["Schieber", "fr-CH"],
  ["Differenzler", "de-CH"],
  ["Molotov", "en-GB"],
] as const) {
  test(`a link to a running table weighs at most 165 kB: ${game}, ${locale}`, async ({
    person,
    phone,
    meter,
  }) => {
    const { page: player } = await person({}, PHONE);
    const page = await openRunningTable(player, game, phone, locale);
    const all = await atRest(page, meter);
    expect(bytes(all)).toBeGreaterThan(LEAST);
    expectWithin(all, { bytes: 165_000, requests: 25 });
  });
}

/** The bytes of the public tables, and of the games; the rest of the start page is the same on any server. */
const OF_SERVER = /^\/(\?.*)?$|^\/api\//;

withThirdPartyGames.extend<Metered>(METERED)(
  "with more games the start page fetches their names alone, and a table nothing more",
  async ({ person, phone, meter }) => {
    const page = await (await phone()).newPage();
    await openStartPage(page);
    const tiles = await page.locator(".tile").count();
    const start = (await atRest(page, meter)).filter(({ path }) => OF_SERVER.test(path));
    const paths = start.map(({ path }) => path.replace(/\?.*/, ""));
    expect(tiles).toBeGreaterThan(8);
    // The page for the browser and for its worker, the list, one game with its texts, the public tables.
    expect(paths.sort()).toEqual(
      ["/", "/", "/api/catalogue/de", "/api/games/schieber", "/api/tables", "/api/words/de/schieber"].sort(),
    );
    const list = start.find(({ path }) => path.startsWith("/api/catalogue"));
    expect(list?.bytes).toBeLessThan(150 * tiles);

    const { page: player } = await person({}, PHONE);
    const table = await openRunningTable(player, "Schieber", phone, "de-CH");
    const asked = (await atRest(table, meter)).map(({ path }) => path.replace(/\?.*/, ""));
    expect(asked.filter((path) => path.startsWith("/api/"))).toEqual(["/api/words/de/schieber"]);
  },
);
