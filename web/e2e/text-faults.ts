// Finds texts that cannot be read as they should be.
import type { Page } from "@playwright/test";

/** Panels that lie over the table, and what shows itself over other parts on purpose. */
const COVERS =
  "dialog, .cover, .overlay, .choose, .stack, .sheet, .end, .answer, .claim, form.lay, form.bid, .first, .bubble";

/**
 * The faults of all visible texts: cut off, broken inside a word, outside the window, covered by another element or
 * under another text.
 *
 * Parts of a scrolled area that are out of sight are no faults, and neither is what lies under a panel. A name that
 * ends in an ellipsis is one if fewer than 8 of its letters can be read, or 12 in a wide window.
 */
export async function textFaults(page: Page): Promise<string[]> {
  return page.evaluate(async (covers) => {
    await document.fonts.ready;
    const letters = innerWidth >= 1280 ? 12 : 8;
    const faults = new Set<string>();
    // Text at twice its size may break words.
    const enlarged = parseFloat(getComputedStyle(document.documentElement).fontSize) > 24;
    const called = (node: Text): string => {
      const [first] = (node.parentElement?.className ?? "").split(" ");
      return `"${node.data.trim().slice(0, 40)}" in ${node.parentElement?.tagName.toLowerCase()}.${first}`;
    };

    /** Whether an element is meant for screen readers, or invisible. */
    const unseen = (element: Element): boolean => {
      if (!element.checkVisibility()) return true;
      for (let one: Element | null = element; one; one = one.parentElement) {
        const { opacity, visibility, clipPath } = getComputedStyle(one);
        if (opacity === "0" || visibility === "hidden" || clipPath.startsWith("inset(50%")) return true;
      }
      return false;
    };

    /** Whether what lies below an element is not seen through it. */
    const paints = (element: Element): boolean => {
      if (element instanceof SVGGeometryElement || element instanceof HTMLImageElement) return true;
      const { backgroundColor, backgroundImage } = getComputedStyle(element);
      const alpha = /rgba\(.*, ([\d.]+)\)/.exec(backgroundColor)?.[1] ?? "1";
      return (backgroundImage !== "none" || Number(alpha) > 0.5) && !unseen(element);
    };

    /** Whether something lies over an element on purpose: a panel, or a bar below which the page scrolls. */
    const lies = (cover: Element, element: Element): boolean => {
      for (let one: Element | null = cover; one && !one.contains(element); one = one.parentElement)
        if (one.matches(".more") || /sticky|fixed/.test(getComputedStyle(one).position)) return true;
      if (element.closest(".bubble")) return true; // A remark passes.
      const panel = cover.closest(covers);
      const below = element.closest(covers);
      return panel !== null && panel !== below && (below === null || panel.matches("dialog"));
    };

    /** The part of the window in which an element can be seen, and what cuts it off there. */
    const frames = (element: Element) => {
      const seen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
      let scrolls = false;
      const cuts: DOMRect[] = [];
      for (let one = element.parentElement; one && one !== document.body; one = one.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(one);
        const box = one.getBoundingClientRect();
        scrolls ||= /auto|scroll/.test(overflowX);
        if (/auto|scroll/.test(overflowX + overflowY)) {
          seen.left = Math.max(seen.left, box.left);
          seen.right = Math.min(seen.right, box.right);
          seen.top = Math.max(seen.top, box.top);
          seen.bottom = Math.min(seen.bottom, box.bottom);
        } else if (/hidden|clip/.test(overflowX + overflowY)) cuts.push(box);
      }
      return { seen, scrolls, cuts };
    };

    const all = document.createElement("style");
    all.textContent = "* { pointer-events: auto !important }"; // so that elementsFromPoint finds everything
    document.head.append(all);

    const read: { node: Text; line: DOMRect }[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode as Text;
      const element = node.parentElement;
      if (!element || !node.data.trim() || /^(STYLE|SCRIPT|OPTION|TITLE|CODE)$/.test(element.tagName))
        continue;
      if (element.closest(".face")) continue; // The initial repeats the name.
      const range = document.createRange();
      range.selectNodeContents(node);
      const lines = [...range.getClientRects()].filter((line) => line.width > 0 && line.height > 0);
      if (lines.length === 0 || unseen(element)) continue;
      const { seen, scrolls, cuts } = frames(element);

      const style = getComputedStyle(element);
      const own = element.getBoundingClientRect();
      const whole = lines.reduce((sum, line) => sum + line.width, 0);
      if (style.overflowX !== "visible") {
        // What ends in an ellipsis, on the same line or on a later one.
        const left = lines.map((line) =>
          line.top < own.bottom - 4 ? Math.min(line.right, own.right) - line.left : 0,
        );
        const readable = Math.floor(
          (left.reduce((sum, part) => sum + part, 0) / whole) * node.data.trim().length,
        );
        const ellipsis = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
        if (readable < node.data.trim().length - 1 && !(ellipsis && readable >= letters))
          faults.add(`cut after ${readable} letters: ${called(node)}`);
      } else
        for (const line of lines) {
          if (!scrolls && (line.right > innerWidth + 1 || line.left < -1))
            faults.add(`outside: ${called(node)}`);
          for (const box of cuts)
            if (line.right > box.right + 2 || line.left < box.left - 2 || line.bottom > box.bottom + 6)
              faults.add(`cut: ${called(node)}`);
        }

      // A word is broken if its letters stand on two lines without a hyphen of its own.
      for (const { 0: word, index } of node.data.matchAll(/[^\s\u2010-\u2015/-]+/gu)) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const tops = [...range.getClientRects()].filter((one) => one.width > 1).map((one) => one.top);
        if (Math.max(...tops) - Math.min(...tops) > 6 && style.hyphens !== "auto" && !enlarged)
          faults.add(`broken ${word}: ${called(node)}`);
      }

      for (const whole of lines) {
        const clips = style.overflowX !== "visible";
        if (clips && whole.top > own.bottom - 4) continue;
        const width = clips ? Math.min(whole.right, own.right) - whole.left : whole.width;
        const line = new DOMRect(whole.left, whole.top, width, whole.height);
        const x = (line.left + line.right) / 2;
        const y = (line.top + line.bottom) / 2;
        if (x < seen.left || x > seen.right || y < seen.top || y > seen.bottom) continue;
        const above = document.elementsFromPoint(x, y);
        const reached = above.findIndex((one) => one.contains(element) || element.contains(one));
        const cover = above.slice(0, Math.max(0, reached)).find(paints);
        if (!cover) read.push({ node, line });
        else if (!lies(cover, element))
          faults.add(
            `covered by ${cover.tagName.toLowerCase()}.${cover.getAttribute("class")}: ${called(node)}`,
          );
      }
    }
    all.remove();

    read.forEach(({ node, line }, place) => {
      for (const other of read.slice(place + 1)) {
        const wide = Math.min(line.right, other.line.right) - Math.max(line.left, other.line.left);
        const high = Math.min(line.bottom, other.line.bottom) - Math.max(line.top, other.line.top);
        const panels = [node, other.node].map((one) => one.parentElement?.closest(covers));
        const much = wide > 3 && high > 0.4 * Math.min(line.height, other.line.height);
        if (much && node !== other.node && panels[0] === panels[1])
          faults.add(`${called(node)} over ${called(other.node)}`);
      }
    });
    return [...faults];
  }, COVERS);
}
