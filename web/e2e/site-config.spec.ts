// What the operator has configured for the page: a greeting, and only some of its languages.
import { resolve } from "node:path";
import { DESKTOP, expectFitsAndAccessible, PHONE } from "./assertions";
import { Server } from "./server";
import { expect, test as base } from "./page-actions";

const LONG = "Le vendredi dès vingt heures on joue au Restaurant de la Couronne. ".repeat(4).trim();

const test = base.extend<object, { house: Server }>({
  house: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const server = new Server({
        PYTHONPATH: resolve(import.meta.dirname, "../../src"),
        JASSTISCH_LANGUAGES: "fr it",
        JASSTISCH_GREETING: `fr=<b>Bienvenue</b>\u202f! ${LONG}`,
      });
      await use(server);
      await server.remove();
    },
    { scope: "worker" },
  ],
  server: async ({ house }, use) => {
    await house.open();
    await use(house);
  },
});

for (const [size, theme] of [
  [PHONE, "light"],
  [DESKTOP, "dark"],
] as const) {
  test(`the operator's greeting and languages, at ${size.width}×${size.height}, ${theme}`, async ({
    person,
  }) => {
    // People who chose English elsewhere see the first language offered.
    const { page } = await person({ locale: "en", theme }, size);
    await page.goto("/");
    const greeting = page.locator(".greeting");
    await expect(greeting).toHaveText(`<b>Bienvenue</b>\u202f! ${LONG}`);
    await expect(page.locator("html")).toHaveAttribute("lang", "fr");
    const languages = page.locator(".tools li button");
    await expect(languages).toHaveText(["FR", "IT"]);
    await expectFitsAndAccessible(page);

    await languages.nth(1).click();
    await expect(page.locator("html")).toHaveAttribute("lang", "it");
    await expect(greeting).toHaveAttribute("lang", "fr");
    await page.locator(".tools button.tool[aria-label]").click();
    await expect(page.getByRole("dialog").getByText("Français")).toBeVisible();
    await expect(page.getByRole("dialog").getByText("Deutsch")).toHaveCount(0);
  });
}
