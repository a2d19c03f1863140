// Every moment of a game looked at: in both sizes, both appearances, both decks, all languages.
import { animationsDone, DESKTOP, expectAccessible, expectTappable, overlaps, PHONE } from "./assertions";
import { openScene } from "./scenes";
import { expect, expectNoOverflow, test } from "./page-actions";

/** Names of realistic length. */
const NAMES = ["Anna-Katharina von Salis", "Maximiliane Oberholzer", "Reto", "Hans-Ueli Zurbriggen"];

/**
 * Whether words and cards have room is seen in each. What axe finds is the same in all but for the
 * appearance: it judges one scene in four in light on a phone, and another one in four in dark on a
 * desktop.
 */
const LOOKS = [
  { size: PHONE, theme: "light", deck: "swiss", locale: "de", judges: 0 },
  { size: PHONE, theme: "dark", deck: "french", locale: "fr", judges: null },
  { size: DESKTOP, theme: "dark", deck: "swiss", locale: "it", judges: 2 },
  { size: DESKTOP, theme: "light", deck: "french", locale: "en", judges: null },
] as const;

/** Tests that in no look at these scenes anything sticks out or lies on what another selector finds. */
export function testLayout(scenes: readonly string[], ...selectors: string[]): void {
  for (const { size, theme, deck, locale, judges } of LOOKS) {
    test(`nothing overlaps at ${size.width}×${size.height}, ${theme}, ${locale}`, async ({ person }) => {
      const { page } = await person({ locale, deck, theme }, size);
      for (const [place, scene] of scenes.entries()) {
        await openScene(page, scene, NAMES);
        await page.locator("main").waitFor();
        await animationsDone(page);
        await expectNoOverflow(page);
        await expectTappable(page);
        expect(await overlaps(page, ...selectors), scene).toEqual([]);
        expect(await overlaps(page, ".hanging > *", ".trick li"), scene).toEqual([]);
        if (place % 4 === judges) await expectAccessible(page);
      }
    });
  }
}
