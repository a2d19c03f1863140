// The documentation on the server can be found, read and searched under the server's security policy.
import { DESKTOP, PHONE } from "./assertions";
import { expect, expectNoOverflow, test as base } from "./page-actions";

const test = base.extend({
  // This test plays no cards, so no bot needs to be ready.
  server: async ({ house }, use) => {
    await house.open();
    await use(house);
  },
});

for (const size of [PHONE, DESKTOP]) {
  test(`the documentation can be opened, read and searched at ${size.width}×${size.height}`, async ({
    person,
  }) => {
    const { page, consoleProblems } = await person({}, size);
    await page.goto("/");
    const opened = page.waitForEvent("popup");
    await page.getByRole("link", { name: "Guides and documentation" }).click();
    const docs = await opened;
    docs.on("console", (message) => {
      if (message.type() === "error") consoleProblems.push(message.text());
    });
    await expect(docs.getByRole("heading", { level: 1 })).toHaveText(/An open table for Jass/);
    await expectNoOverflow(docs);
    await docs.getByRole("main").getByRole("link", { name: "Write a bot", exact: true }).click();
    await expect(docs.getByRole("heading", { level: 1 })).toHaveText(/Bots/);
    await expectNoOverflow(docs);

    // The key works only once the page's script runs, which is some time after the page is shown.
    const asked = docs.locator("dialog[open]").locator("input[aria-label=Search]");
    await expect(async () => {
      await docs.keyboard.press("Control+k");
      await expect(asked).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await asked.fill("undertrump");
    // The text of a search result, and the clause to which it leads.
    await docs.getByText("C9 · Undertrumping").first().click();
    await expect(docs).toHaveURL(/\/docs\/rules\/.*#c9--undertrumping$/);
  });
}
