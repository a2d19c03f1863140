// Fetches keepFocus.ts, which no page needs to show anything.

/**
 * Fetches what keeps the focus when the page is first touched: before, nobody has a focus that could be lost.
 */
export function keepFocusOnceUsed(): void {
  const kinds = ["focusin", "keydown", "pointerdown"] as const;
  const load = (): void => {
    for (const kind of kinds) removeEventListener(kind, load, true);
    void import("./keepFocus").then(({ keepFocus }) => keepFocus()).catch(() => undefined);
  };
  for (const kind of kinds) addEventListener(kind, load, true);
}
