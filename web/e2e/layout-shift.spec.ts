// What the page shows stays where it is: also when parts of it come late, each in turn.
import type { Page } from "@playwright/test";
import { expect, test } from "./metered";

/** The largest sum of layout shifts, as Chromium scores them. */
const MOST = 0.01;
/** Milliseconds by which a part is late; the page does not wait so long for any but the first. */
const LATE_MS = 700;

/** The layout shifts of a page so far, each with the elements that moved. */
function layoutShifts(page: Page): Promise<{ sum: number; moved: string[] }> {
  return page.evaluate(
    () =>
      new Promise((done) => {
        interface Shift extends PerformanceEntry {
          value: number;
          sources: readonly { node: Node | null }[];
        }
        new PerformanceObserver((list) => {
          const shifts = list.getEntries() as Shift[];
          const moved = shifts.flatMap(({ value, sources }) =>
            sources.map(
              ({ node }) => `${value.toFixed(4)} ${(node as Element | null)?.outerHTML?.slice(0, 80)}`,
            ),
          );
          done({ sum: shifts.reduce((sum, { value }) => sum + value, 0), moved });
        }).observe({ type: "layout-shift", buffered: true });
        // Without any shift the observer is never called.
        setTimeout(() => done({ sum: 0, moved: [] }), 500);
      }),
  );
}

const PARTS = {
  nothing: /^$/,
  font: /\.woff2$/,
  "public tables": /\/api\/tables$/,
  texts: /\/api\/(words|catalogue)/,
};

for (const [part, paths] of Object.entries(PARTS)) {
  test(`the start page moves nothing when it comes: late is ${part}`, async ({ phone, meter }) => {
    const page = await (await phone()).newPage();
    meter.delay = (path) => (paths.test(path) ? LATE_MS : 0);
    await page.goto("/");
    await expect(page.locator(".tile").first()).toBeVisible();
    await page.evaluate(() => document.fonts.ready);
    const { sum, moved } = await layoutShifts(page);
    expect(sum, moved.join("\n")).toBeLessThanOrEqual(MOST);
  });
}
