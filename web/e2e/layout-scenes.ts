// Checks every scene of a game in both sizes, both appearances, both decks and all languages.
import { animationsDone, DESKTOP, expectAccessible, expectTappable, overlaps, PHONE } from "./assertions";
import { openScene } from "./scenes";
import { expect, expectNoOverflow, test } from "./page-actions";
import { textFaults } from "./text-faults";

/** Names of realistic length. */
const NAMES = ["Anna-Katharina von Salis", "Maximiliane Oberholzer", "Reto", "Hans-Ueli Zurbriggen"];

/**
 * The layout is checked in each. Axe's findings depend only on the appearance, so axe checks one scene in
 * four in light on a phone, and another one in four in dark on a desktop.
 */
const LOOKS = [
  { size: PHONE, theme: "light", deck: "swiss", locale: "de", judges: 0 },
  { size: PHONE, theme: "dark", deck: "french", locale: "fr", judges: null },
  { size: DESKTOP, theme: "dark", deck: "swiss", locale: "it", judges: 2 },
  { size: DESKTOP, theme: "light", deck: "french", locale: "en", judges: null },
] as const;

/** Tests that nothing in these scenes overflows or overlaps elements of another selector. */
export function testLayout(scenes: readonly string[], ...selectors: string[]): void {
  for (const { size, theme, deck, locale, judges } of LOOKS) {
    test(`nothing overlaps at ${size.width}×${size.height}, ${theme}, ${locale}`, async ({ person }) => {
      const { page } = await person({ locale, deck, theme }, size);
      for (const [place, scene] of scenes.entries()) {
        await openScene(page, scene, NAMES);
        await page.locator("main#content").waitFor();
        await animationsDone(page);
        await expectNoOverflow(page);
        await expectTappable(page);
        expect(await textFaults(page), scene).toEqual([]);
        expect(await overlaps(page, ...selectors), scene).toEqual([]);
        expect(await overlaps(page, ".hanging > *", ".trick li"), scene).toEqual([]);
        if (place % 4 === judges) await expectAccessible(page);
      }
    });
  }
}
