// On the narrowest phone, with text of twice its size, nothing is wider than the screen, and what can be tapped
// is as large as a thumb.
import type { Page } from "@playwright/test";
import { animationsDone } from "./assertions";
import { expect, test } from "./page-actions";
import { VIEWS } from "./views";

const NARROW = { width: 320, height: 568 };
/** The page's font size at twice the usual one of the browser. */
const LARGE = ":root { font-size: 212.5% !important }";

/** Areas that are wider than what can be seen of them. */
async function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("html, .content, main, #hand, dialog[open]")]
      .filter((one) => one.scrollWidth > one.clientWidth + 1)
      .map((one) => `${one.tagName}.${one.className}: ${one.scrollWidth} > ${one.clientWidth}`),
  );
}

/**
 * Controls of less than 44 pixels. Links within text are exempt, and so are the head of a table, whose six
 * buttons are 39 pixels wide on a narrow phone, and the thirteen ranks to claim, which a third row would push
 * over the pile: 35 pixels wide, 46 high.
 */
async function tooSmall(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("a[href], button, input, select, summary")].flatMap((one) => {
      if (!one.checkVisibility() || one.closest("#hand, [inert], .sr-only")) return [];
      if (getComputedStyle(one).display === "inline" && one.tagName === "A") return [];
      const boxes = [one, one.closest("label") ?? one].map((part) => part.getBoundingClientRect());
      const [width, height] = [
        Math.max(...boxes.map((box) => box.width)),
        Math.max(...boxes.map((box) => box.height)),
      ];
      const least = one.closest(".page-head") ? 39 : one.closest(".ranks") ? 35 : 44;
      if (width === 0 || (width >= least && Math.round(height) >= 44)) return [];
      return [`${one.tagName} ${one.ariaLabel ?? one.textContent.trim()}: ${width} × ${height}`];
    }),
  );
}

for (const large of [false, true])
  test(`everything fits on 320 pixels, text at ${large ? 200 : 100} %`, async ({ person }) => {
    const { page } = await person({ nickname: "Anna" }, NARROW);
    const faults: string[] = [];
    for (const { name, open } of VIEWS) {
      await open(page);
      if (large) await page.addStyleTag({ content: LARGE });
      await animationsDone(page);
      const found = [...(await tooWide(page)), ...(await tooSmall(page))];
      faults.push(...found.map((fault) => `${name}: ${fault}`));
    }
    expect(faults).toEqual([]);
  });
