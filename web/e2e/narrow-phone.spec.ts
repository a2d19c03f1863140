// Every screen on the narrowest phone, in the usual size of text and twice that: nothing is wider than the
// screen, what can be tapped is as large as a thumb, and axe finds nothing in any appearance.
import type { Page } from "@playwright/test";
import { animationsDone, axeViolations, overlaps } from "./assertions";
import { sceneNames } from "./scenes";
import { expect, test } from "./page-actions";
import { scene, VIEWS } from "./views";

const NARROW = { width: 320, height: 568 };
/** The page's font size at twice the usual one of the browser. */
const LARGE = ":root { font-size: 212.5% !important }";

/** All rules hold in the first appearance; the others change only colours. */
const LOOKS = [
  { colorScheme: "light", forcedColors: "none" },
  { colorScheme: "dark", forcedColors: "none" },
  { colorScheme: "dark", forcedColors: "active" },
] as const;

/**
 * Every scene takes some minutes; else each kind of view is seen. A page that has shown a scene keeps the
 * test as its server, and the last view stays in text mode.
 */
const ALL = process.env.ALL_TEXTS === "1";
const SCENES = ALL ? sceneNames().map((name) => scene(name)) : [];
const EVERY = [...VIEWS.slice(0, -1), scene("schieber_slalom"), ...SCENES, ...VIEWS.slice(-1)];
/** Tests of a part each, which run side by side. */
const PARTS = 2;
/** Areas that are wider than what can be seen of them. */
async function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("html, .content, main, #hand, dialog[open]")]
      .filter((one) => one.scrollWidth > one.clientWidth + 1)
      .map((one) => `${one.tagName}.${one.className}: ${one.scrollWidth} > ${one.clientWidth}`),
  );
}

/** Controls of less than 44 pixels. Links within text are exempt. */
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
      if (width === 0 || (Math.round(width) >= 44 && Math.round(height) >= 44)) return [];
      return [`${one.tagName} ${one.ariaLabel ?? one.textContent.trim()}: ${width} × ${height}`];
    }),
  );
}

/** Plates that lie on each other. */
async function platesOnPlates(page: Page): Promise<string[]> {
  return page.locator(".plate").evaluateAll((plates) => {
    const boxes = plates.map((one) => one.getBoundingClientRect());
    const meet = (a: DOMRect, b: DOMRect): boolean =>
      a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    return boxes.flatMap((a, i) =>
      boxes.slice(i + 1).flatMap((b, k) => (meet(a, b) ? [`plate ${i} on plate ${i + k + 1}`] : [])),
    );
  });
}

/** Words of large letters that are broken to two lines. */
async function brokenWords(page: Page): Promise<string[]> {
  return page.locator(".slate .line, .claim h2, .choose .name").evaluateAll((texts) =>
    texts.flatMap((text) =>
      [...text.childNodes].flatMap((node) =>
        [...(node.textContent ?? "").matchAll(/[^\s-]+/g)].flatMap(({ 0: word, index }) => {
          const range = document.createRange();
          if (!(node instanceof Text)) return [];
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const tops = [...range.getClientRects()].map(({ top }) => top);
          return Math.max(...tops) - Math.min(...tops) > 6 ? [`broken: ${word}`] : [];
        }),
      ),
    ),
  );
}

/** A result squeezed to less than two lines, and panels whose beginning no scrolling reaches. */
async function outOfReach(page: Page): Promise<string[]> {
  return page.evaluate(() => [
    ...[...document.querySelectorAll(".sheet .result")]
      .map((one) => one.getBoundingClientRect().height)
      .flatMap((height) => (height < 96 ? [`a result of ${height} pixels`] : [])),
    ...[...document.querySelectorAll("[data-over-mat]")].flatMap((over) => {
      const top = over.getBoundingClientRect().top - over.scrollTop;
      return [...over.children].some((one) => one.getBoundingClientRect().top < top - 1)
        ? ["a panel that begins above the mat"]
        : [];
    }),
    ...[...document.querySelectorAll("form.lay")].flatMap((panel) =>
      panel.getBoundingClientRect().top < (panel.closest("main")?.getBoundingClientRect().top ?? 0)
        ? ["a claim that begins under the header"]
        : [],
    ),
  ]);
}

for (let part = 0; part < PARTS; part += 1)
  test(`everything fits on 320 pixels, part ${part + 1}`, async ({ person }) => {
    if (ALL) test.setTimeout(1_200_000);
    const { page } = await person({ nickname: "Anna" }, NARROW);
    const faults: string[] = [];
    for (const { name, open } of EVERY.filter((_, place) => place % PARTS === part)) {
      await page.emulateMedia(LOOKS[0]);
      await open(page);
      await animationsDone(page);
      const found = [
        ...(await tooWide(page)),
        ...(await tooSmall(page)),
        ...(await outOfReach(page)),
        ...(await platesOnPlates(page)),
        ...(await overlaps(page, ".corner > *", ".plate")),
      ];
      for (const look of LOOKS) {
        await page.emulateMedia(look);
        const rules = look === LOOKS[0] ? undefined : ["color-contrast"];
        found.push(...(await axeViolations(page, { rules })));
      }
      await page.addStyleTag({ content: LARGE });
      const large = [
        ...(await tooWide(page)),
        ...(await tooSmall(page)),
        ...(await outOfReach(page)),
        ...(await overlaps(page, ".corner > *", ".plate")),
        ...(await brokenWords(page)),
      ];
      faults.push(
        ...[...found, ...large.map((fault) => `text at 200 %: ${fault}`)].map((fault) => `${name}: ${fault}`),
      );
    }
    expect(faults).toEqual([]);
  });
