// Checks for every screen: nothing overflows, everything can be reached, axe finds no violations.
import AxeBuilder from "@axe-core/playwright";
import type { Locator, Page } from "@playwright/test";
import { expect, expectNoOverflow, ownCards } from "./page-actions";
import { textFaults } from "./text-faults";

export const PHONE = { width: 360, height: 740 };
export const DESKTOP = { width: 1280, height: 800 };

/**
 * Waits until the page is at rest, because moving cards are half transparent and out of place. The element
 * that a hint marks keeps glowing while the hint is shown.
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
  expect(await textFaults(page)).toEqual([]);
  await expectAccessible(page);
}

/** Expects axe to find no violations on the page, or in a part of it. */
export async function expectAccessible(page: Page, part = "html"): Promise<void> {
  expect(await axeViolations(page, { part })).toEqual([]);
}

/** What axe finds on the page, by all rules or the given ones. */
export async function axeViolations(
  page: Page,
  { part = "html", rules }: { part?: string; rules?: string[] | undefined } = {},
): Promise<string[]> {
  // Without frames, legacy mode finds the same in half the time.
  const axe = new AxeBuilder({ page }).setLegacyMode().include(part);
  if (rules) axe.withRules(rules);
  else axe.disableRules("label-content-name-mismatch"); // `misnamed` checks this
  const { violations } = await axe.analyze();
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`,
  );
  return rules ? found : [...found, ...(await page.locator(part).evaluate(misnamed))];
}

/**
 * Controls whose accessible name lacks their visible label, which voice control needs (WCAG 2.5.3);
 * runs in the page. Axe's own rule rejects short forms, such as DE for Deutsch, and symbols without letters
 * that are hidden from screen readers because the name has them in words, such as ×3.
 */
function misnamed(part: Element): string[] {
  const plain = (text: string): string =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  function seen(node: Node): string {
    if (node instanceof Text) return node.data;
    if (!(node instanceof HTMLElement) || !node.checkVisibility()) return " ";
    if (node.ariaHidden === "true" && !/\p{L}/u.test(node.textContent)) return " ";
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

/** The box of an element that is visible. */
export async function boxOf(
  element: Locator,
): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await element.boundingBox();
  if (!box) throw new Error(`not visible: ${String(element)}`);
  return box;
}

/** Pairs of overlapping boxes among the elements that the selectors match. */
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
