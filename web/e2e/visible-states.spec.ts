// What is chosen, on turn or switched on looks different from what is not, also in colours that the reader
// forces (high contrast of the system) and with more contrast.
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { animationsDone } from "./assertions";
import { LAYOUT, SAID_OTHERWISE, STATES, type State } from "./states";
import { expect, test } from "./page-actions";
import { VIEWS } from "./views";

/** More contrast is looked at in light and dark by turns, from view to view. */
const LOOKS = [
  { forcedColors: "active", contrast: "more", colorScheme: "light" },
  { forcedColors: "active", contrast: "more", colorScheme: "dark" },
  { forcedColors: "none", contrast: "more" },
] as const;

/** A window that shows a whole page at once. */
const TALL = { width: 420, height: 1500 };
/** Room around an element for its outline. */
const MARGIN = 6;
/** What WCAG 1.4.11 asks of the difference between two states. */
const CONTRAST = 3;
/** At least as much as a line of two pixels along the shorter side. */
const LEAST = 2;

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The states that some element of the page can have. */
async function onPage(page: Page, states: readonly State[]): Promise<State[]> {
  const there = await page.evaluate(
    (selectors) => selectors.map((selector) => document.querySelector(selector) !== null),
    states.map(({ element }) => element),
  );
  return states.filter((_, place) => there[place]);
}

/** Marks the first element in sight that can have the state; returns whether it has it. */
async function find(page: Page, { element, mark }: State): Promise<boolean | null> {
  return page.evaluate(
    ([selector, state]) => {
      function inSight(one: Element): boolean {
        const { left, top, right, bottom, width, height } = one.getBoundingClientRect();
        if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight || width * height === 0)
          return false;
        const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return one.checkVisibility({ opacityProperty: true }) && above !== null && one.contains(above);
      }
      document.querySelector("[data-flipped]")?.removeAttribute("data-flipped");
      const [name = "", value] = state.split("=");
      const first = [...document.querySelectorAll(selector)].find(inSight);
      first?.setAttribute("data-flipped", "");
      if (!first) return null;
      return value === undefined ? first.classList.contains(name) : first.getAttribute(name) === value;
    },
    [element, mark] as const,
  );
}

interface Shown {
  box: Box;
  /** The lines of text in the element, which are no difference. */
  texts: Box[];
}

/** Turns a state of the marked element on or off. */
async function flip(page: Page, mark: string, on: boolean): Promise<Shown> {
  return page.evaluate(
    ([state, wanted]) => {
      const one = document.querySelector("[data-flipped]");
      if (!one) throw new Error("nothing to flip");
      const [name = "", value] = state.split("=");
      if (value === undefined) one.classList.toggle(name, wanted);
      else if (wanted) one.setAttribute(name, value);
      else one.removeAttribute(name);
      const input = one.querySelector<HTMLInputElement>(":scope > input, :scope > label > input");
      if (input?.matches("[type=radio], [type=checkbox]")) input.checked = wanted;
      const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
      const lines: DOMRect[] = [];
      while (texts.nextNode()) {
        if (texts.currentNode.parentElement?.closest(".sr-only")) continue;
        const range = document.createRange();
        range.selectNodeContents(texts.currentNode);
        lines.push(...range.getClientRects());
      }
      const plain = ({ x, y, width, height }: DOMRect): Box => ({ x, y, width, height });
      return { box: plain(one.getBoundingClientRect()), texts: lines.map(plain) };
    },
    [mark, on] as const,
  );
}

/** The part of the window around both boxes, with room for an outline. */
function around(a: Box, b: Box): Box {
  const x = Math.floor(Math.max(0, Math.min(a.x, b.x) - MARGIN));
  const y = Math.floor(Math.max(0, Math.min(a.y, b.y) - MARGIN));
  const right = Math.min(TALL.width, Math.max(a.x + a.width, b.x + b.width) + MARGIN);
  const bottom = Math.min(TALL.height, Math.max(a.y + a.height, b.y + b.height) + MARGIN);
  return { x, y, width: Math.ceil(right) - x, height: Math.ceil(bottom) - y };
}

/** The number of pixels outside of texts whose contrast to each other on two pictures is 3:1. */
async function differing(sheet: Page, area: Box, texts: Box[], pictures: Buffer[]): Promise<number> {
  return sheet.evaluate(
    async ([box, lines, sources, least]) => {
      const [before, after] = await Promise.all(
        sources.map(async (source) => {
          const bytes = Uint8Array.from(atob(source), (one) => one.charCodeAt(0));
          const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
          const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
          context?.drawImage(bitmap, 0, 0);
          return context?.getImageData(0, 0, bitmap.width, bitmap.height);
        }),
      );
      if (!before || !after) throw new Error("no pictures");
      const linear = (value: number): number =>
        value <= 10 ? value / 3295 : ((value / 255 + 0.055) / 1.055) ** 2.4;
      const luminance = ({ data }: ImageData, at: number): number =>
        0.2126 * linear(data[at] ?? 0) +
        0.7152 * linear(data[at + 1] ?? 0) +
        0.0722 * linear(data[at + 2] ?? 0);
      let sum = 0;
      for (let at = 0; at < before.data.length; at += 4) {
        const x = box.x + ((at / 4) % before.width);
        const y = box.y + Math.floor(at / 4 / before.width);
        const inLine = (one: Box): boolean =>
          x >= one.x - 1 && x <= one.x + one.width && y >= one.y - 1 && y <= one.y + one.height;
        if (lines.some(inLine)) continue;
        const [a, b] = [luminance(before, at) + 0.05, luminance(after, at) + 0.05];
        if (Math.max(a, b) / Math.min(a, b) >= least) sum += 1;
      }
      return sum;
    },
    [area, texts, pictures.map((one) => one.toString("base64")), CONTRAST] as const,
  );
}

/**
 * The difference that a state makes to its element: as the thickness of a line along the shorter side, in
 * pixels; null if no element in sight can have the state.
 */
async function difference(page: Page, sheet: Page, state: State): Promise<number | null> {
  const has = await find(page, state);
  if (has === null) return null;
  const [after, before] = [await flip(page, state.mark, true), await flip(page, state.mark, false)];
  const area = around(before.box, after.box);
  const pictures = [await page.screenshot({ clip: area })];
  await flip(page, state.mark, true);
  pictures.push(await page.screenshot({ clip: area }));
  if (!has) await flip(page, state.mark, false);
  const pixels = await differing(sheet, area, [...before.texts, ...after.texts], pictures);
  return pixels / Math.min(before.box.width, before.box.height);
}

/**
 * Texts whose own border or disc is hidden by the plate that browsers draw behind texts in forced colours, and
 * marks of the card that wins the trick which lie on its index.
 */
async function hidden(page: Page): Promise<string[]> {
  return page.evaluate(() => [
    ...[...document.querySelectorAll<HTMLElement>("main *, dialog *")].flatMap((one) => {
      const { borderTopWidth, borderTopStyle, borderRadius, forcedColorAdjust } = getComputedStyle(one);
      const [text] = [...one.childNodes].filter((node) => node instanceof Text && node.data.trim());
      const round = one.style.background !== "" && borderRadius === "50%";
      if (!text || forcedColorAdjust === "none" || !one.checkVisibility()) return [];
      const range = document.createRange();
      range.selectNodeContents(text);
      const edge = one.getBoundingClientRect().top + parseFloat(borderTopWidth);
      const crossed = borderTopStyle !== "none" && range.getBoundingClientRect().top < edge;
      return round || crossed ? [`the shape of "${one.textContent.trim()}" in ${one.className}`] : [];
    }),
    ...[...document.querySelectorAll(".trick .holding")].flatMap((card) =>
      parseFloat(getComputedStyle(card, "::after").outlineOffset) < 0 ? ["the index of the best card"] : [],
    ),
  ]);
}

test("every state can be seen in forced colours and with more contrast", async ({ person, browser }) => {
  const { page } = await person({ nickname: "Anna" }, TALL);
  const sheet = await browser.newPage();
  const open = new Set(STATES);
  const faults: string[] = [];
  for (const [place, view] of VIEWS.entries()) {
    await view.open(page);
    await animationsDone(page);
    await animationsDone(page);
    // Bold letters are no difference, and neither is what moves because of them.
    await page.addStyleTag({ content: "* { font-weight: 400 !important }" });
    await page.emulateMedia({ forcedColors: "active" });
    faults.push(...(await hidden(page)).map((fault) => `${view.name}: ${fault}`));
    const states = await onPage(page, [...open]);
    if (states.length === 0) continue;
    for (const look of LOOKS) {
      await page.emulateMedia({ colorScheme: place % 2 ? "dark" : "light", ...look });
      for (const state of states) {
        const much = await difference(page, sheet, state);
        if (much === null) continue;
        if (look === LOOKS.at(-1)) open.delete(state);
        if (much < LEAST)
          faults.push(
            `${state.name} on ${view.name}, forced colours ${look.forcedColors}: ${much.toFixed(2)}`,
          );
      }
    }
  }
  await sheet.close();
  expect(faults).toEqual([]);
  expect([...open].map(({ name }) => name)).toEqual([]);
});

test("every conditional class is a known state, or says nothing alone", () => {
  const folder = fileURLToPath(new URL("../src", import.meta.url));
  const names = globSync(`${folder}/**/*.svelte`).flatMap((file) =>
    readFileSync(file, "utf-8")
      .split("class={[")
      .slice(1)
      .flatMap((rest) => [...(rest.split("]}")[0] ?? "").matchAll(/(?:&&|\?|:)\s*"([^"]+)"/g)])
      .map(([, name]) => `${basename(file, ".svelte")}.${name}`),
  );
  const known = new Set([...STATES.map(({ name }) => name), ...Object.keys(SAID_OTHERWISE), ...LAYOUT]);
  expect([...new Set(names)].filter((name) => !known.has(name))).toEqual([]);
  const stale = [...known].filter((name) => /^[A-Z]/.test(name) && !names.includes(name));
  expect(stale).toEqual([]);
});
