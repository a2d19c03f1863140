// What must hold on every screen: nothing sticks out, nothing is out of reach, axe is content.
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, expectNoOverflow, ownCards } from "./page-actions";

export const PHONE = { width: 360, height: 740 };
export const DESKTOP = { width: 1280, height: 800 };

/**
 * Cards in flight are half transparent and elsewhere; the page is judged at rest. The element that a hint
 * marks glows while the hint is shown.
 */
export async function animationsDone(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every((one) => one.playState !== "running" || one.effect?.getComputedTiming().iterations === Infinity),
  );
}

export async function expectFitsAndAccessible(page: Page): Promise<void> {
  await expectNoOverflow(page);
  await animationsDone(page);
  await expectAccessible(page);
}

/** Axe is content with the page, or with a part of it. */
export async function expectAccessible(page: Page, part = "html"): Promise<void> {
  // Where there are no frames its old way finds the same in half of the time.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .disableRules("label-content-name-mismatch") // `misnamed` looks after that
    .include(part)
    .analyze();
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`,
  );
  expect(found).toEqual([]);
  expect(await page.locator(part).evaluate(misnamed)).toEqual([]);
}

/**
 * What cannot be called by the words to be seen on it, for people who speak to the page (WCAG 2.5.3);
 * runs in the page. Axe's rule for it knows no short forms, such as DE for Deutsch, and counts signs that
 * are hidden from screen readers because the name says them in words, such as ×3.
 */
function misnamed(part: Element): string[] {
  const plain = (text: string): string =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  function seen(node: Node): string {
    if (node instanceof Text) return node.data;
    if (!(node instanceof HTMLElement) || node.ariaHidden === "true" || !node.checkVisibility()) return " ";
    return node.matches(".sr-only") ? " " : [...node.childNodes].map(seen).join("");
  }
  return [...part.querySelectorAll("button[aria-label], a[aria-label]")].flatMap((one) => {
    const [words, name] = [plain(seen(one)), plain(one.ariaLabel ?? "")];
    return name.includes(words) ? [] : [`"${words}" is to be seen on "${name}"`];
  });
}

/** Every card of the reader's hand must show enough of itself to be read and hit with a thumb. */
export async function expectTappable(page: Page): Promise<void> {
  const widths = await ownCards(page).evaluateAll((cards) => {
    const boxes = cards.map((card) => card.getBoundingClientRect());
    return boxes.map((box, i) => {
      const next = boxes[i + 1];
      const covered = next && next.left > box.left ? next.left : box.right;
      return Math.min(covered, box.right, innerWidth) - Math.max(0, box.left);
    });
  });
  for (const width of widths) expect(width).toBeGreaterThanOrEqual(40);
}

/** Pairs of boxes, each found by a selector, that lie on one another. */
export async function overlaps(page: Page, ...selectors: string[]): Promise<string[]> {
  return page.evaluate((wanted) => {
    const boxes = wanted.flatMap((selector) =>
      [...document.querySelectorAll(selector)].map((one, index) => ({
        name: `${selector} ${index}`,
        selector,
        box: one.getBoundingClientRect(),
      })),
    );
    const meet = (a: DOMRect, b: DOMRect): boolean =>
      a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    return boxes.flatMap((one, i) =>
      boxes
        .slice(i + 1)
        .filter((other) => other.selector !== one.selector && meet(one.box, other.box))
        .map((other) => `${one.name} on ${other.name}`),
    );
  }, selectors);
}
