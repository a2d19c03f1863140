// A machine that has never compiled the bots: the table opens at once and shows which bots are not ready
// yet. A bot does not act until it is ready.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { DESKTOP, expectFitsAndAccessible, PHONE } from "./assertions";
import { Server } from "./server";
import { chooseGame, expect, ownCards, playable, playCard, playNow, test as base } from "./page-actions";

const test = base.extend({
  // eslint-disable-next-line no-empty-pattern
  server: async ({}, use) => {
    const cache = mkdtempSync(join(tmpdir(), "jasstisch-cold-"));
    const server = new Server({ JASSTISCH_CACHE: cache });
    await server.open();
    await use(server);
    await server.remove();
    rmSync(cache, { recursive: true, force: true });
  },
});

/** Opens a table with one strong bot that is not ready and two bots that are. */
async function tableWithClub(page: Page, start: boolean): Promise<void> {
  const made = await page.request.post("/api/tables", {
    data: {
      game: "molotov",
      seats: ["me", "bot:club", "bot:greedy", "bot:greedy"],
      options: { dealer: 3 },
      name: "Anna",
      pause: 0,
      start,
    },
  });
  const { table } = (await made.json()) as { table: string };
  await page.goto(`/t/${table}`);
}

for (const [size, locale, soon] of [
  [PHONE, "de", "bald bereit"],
  [DESKTOP, "en", "ready soon"],
] as const) {
  test(`bots that are not ready are marked for everyone, at ${size.width}×${size.height}`, async ({
    person,
  }) => {
    const { page } = await person({ nickname: "Anna", locale }, size);
    await page.goto("/");
    const strength = page.locator(".computer");
    await expect(strength.locator("label", { hasText: soon })).toHaveCount(2);
    await expect(strength.locator("input:disabled")).toHaveCount(2);
    await expect(strength.locator("input:checked")).toHaveValue("greedy");
    await expect(strength.getByRole("status")).not.toBeEmpty();
    await expectFitsAndAccessible(page);

    await tableWithClub(page, false);
    await expect(page.locator(".lobby .preparing")).toHaveCount(1);
    await expect(page.locator('.lobby [data-seat="1"]')).toContainText(soon);
    await expectFitsAndAccessible(page);

    await tableWithClub(page, true);
    await playCard(page);
    const club = page.locator('.plate[data-seat="1"]');
    await expect(club).toContainText(soon);
    await expect(club).toHaveAttribute("data-acting", "true");
    await expect(page.locator(".plate", { hasText: soon })).toHaveCount(1);
    await expectFitsAndAccessible(page);
  });
}

test("a bot that is ready can be played against at once", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  await chooseGame(page, "Molotow Jass");
  await playNow(page);
  await expect(playable(page).first()).toBeVisible();
  await playCard(page);
  await expect(ownCards(page)).toHaveCount(8);
});
