// A browser that translates the page puts elements of its own around the texts, which the page can no longer
// change.
import type { Page } from "@playwright/test";
import { expect, test } from "./page-actions";
import { openScene } from "./scenes";

/** Does to the page what the translation of a browser does. */
async function translate(page: Page): Promise<void> {
  await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      const rule = text.parentElement?.closest("[translate]")?.getAttribute("translate");
      if (!text.data.trim() || rule === "no" || text.parentElement?.closest("script, style")) continue;
      const font = document.createElement("font");
      font.append(text.data);
      text.replaceWith(font);
    }
  });
}

test("points, turn and log change also in a browser that translates pages", async ({ person }) => {
  const { page } = await person();
  const stage = await openScene(page, "schieber_play");
  const ours = page.locator('.sides [data-side="ours"] [data-points]');
  await expect(ours).toHaveText("177");
  const turn = await page.locator(".turn").textContent();
  await translate(page);
  stage.step();
  await expect(page.locator(".turn")).not.toHaveText(turn ?? "");
  for (let step = 0; step < 3; step++) stage.step();
  await expect(ours).not.toHaveText("177");
});

test("a rule sheet may be translated", async ({ person }) => {
  const { page } = await person();
  await openScene(page, "schieber_play");
  await page.getByRole("button", { name: "Rules", exact: true }).click();
  await page.getByRole("dialog").getByRole("heading", { level: 3 }).first().waitFor();
  await translate(page);
  expect(await page.getByRole("dialog").locator("font").count()).toBeGreaterThan(20);
});
