// Fetches keepFocus.ts, which no page needs to show anything.
import type { FocusNote } from "./keepFocus";

/**
 * Fetches what keeps the focus when the page is first touched: before, nobody has a focus that could be lost.
 * What has it until then is noted, because it may be gone when the fetched part comes.
 */
export function keepFocusOnceUsed(): void {
  const kinds = ["focusin", "keydown", "pointerdown"] as const;
  let begun = false;
  let noted: FocusNote | null = null;
  const use = (): void => {
    const element = document.activeElement;
    if (element && element !== document.body) noted = { element, path: location.pathname };
    if (begun) return;
    begun = true;
    import("./keepFocus").then(
      ({ keepFocus }) => {
        for (const kind of kinds) removeEventListener(kind, use, true);
        keepFocus(noted);
      },
      () => undefined,
    );
  };
  for (const kind of kinds) addEventListener(kind, use, true);
}
