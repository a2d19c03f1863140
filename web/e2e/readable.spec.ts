// Texts at every scene with the longest names: nothing is cut off, covered, broken inside a word or outside.
// Telephones held upright and desktops are checked with the layout of each game (layout-scenes.ts).
import { DESKTOP, PHONE } from "./assertions";
import { LONG_NAMES, openScene, sceneNames } from "./scenes";
import { textFaults } from "./text-faults";
import { expect, test } from "./page-actions";

const LOCALES = ["de", "fr", "it", "en"] as const;

/** Every scene at every size in every language takes ten minutes; else each scene is seen at some sizes. */
const ALL = process.env.ALL_TEXTS === "1";
const SIZES = [
  { width: 740, height: 360 },
  { width: 820, height: 1180 },
  { width: 1920, height: 1080 },
  ...(ALL ? [PHONE, DESKTOP] : []),
];

for (const [place, size] of SIZES.entries())
  test(`all texts can be read at ${size.width}×${size.height}`, async ({ person }) => {
    if (ALL) test.setTimeout(1_200_000);
    const found: string[] = [];
    for (const [turn, locale] of LOCALES.entries()) {
      const { page } = await person({ locale }, size);
      for (const [number, scene] of sceneNames().entries()) {
        if (!ALL && (number + 2 * place) % (2 * LOCALES.length) !== 2 * turn + (place % 2)) continue;
        await openScene(page, scene, LONG_NAMES);
        await page.locator("main#content").waitFor();
        found.push(...(await textFaults(page)).map((fault) => `${scene}, ${locale}: ${fault}`));
      }
    }
    expect(found).toEqual([]);
  });
