// Many speak at once: no speech bubble covers another one, a player, the trump badge or a button, and none
// leaves the screen.
import type { Page } from "@playwright/test";
import { animationsDone, DESKTOP, PHONE } from "./assertions";
import { openScene, type Stage } from "./scenes";
import { expect, expectNoOverflow, test as base } from "./page-actions";

const test = base.extend({
  // This test plays no cards, so it need not wait for bots.
  server: async ({ house }, use) => {
    await house.open();
    await use(house);
  },
});

const SIDEWAYS = { width: 740, height: 360 };
const TABLET = { width: 820, height: 1180 };

/** Names of 24 characters. */
const NAMES = [
  "Anna-Katharina von Salis",
  "Maximiliane Oberholzerin",
  "Hans-Ueli Zurbriggen-Bär",
  "Jean-François Grandjean",
  "Bartholomäus Abderhalden",
  "Marie-Madeleine Duvillar",
  "Giancarlo Bernasconi-Zen",
  "Rosmarie Aeschlimann-Fry",
];

/** Chat lines besides the phrases: of the maximum length, and short ones. */
const LINES = [
  "Vous auriez dû garder le bour pour la dernière levée, mon cher ami, maintenant il est bien trop tard pour nous deux, hélas, mais continuons…",
  "Quelle chance incroyable !",
  "Je crois que quelqu'un à cette table compte les atouts bien mieux que nous tous ensemble, et ce n'est sûrement pas moi.",
  "Voilà qui est bien joué, bravo !",
];

function speak(stage: Stage, players: number): void {
  for (let seat = players - 1; seat >= 0; seat -= 1) {
    stage.tell({ kind: "wrote", seat, words: LINES[seat % LINES.length] as string }, {});
  }
}

/** Layout faults of the speech bubbles, measured on the page. */
async function faults(page: Page, large: boolean): Promise<string[]> {
  return page.evaluate((large) => {
    const boxes = (selector: string) =>
      [...document.querySelectorAll<HTMLElement>(selector)]
        .filter((one) => one.checkVisibility({ visibilityProperty: true }))
        .map((one) => ({
          name: `${selector} ${one.dataset.said ?? one.dataset.seat ?? ""}`,
          seat: one.dataset.said ?? one.dataset.seat,
          box: one.getBoundingClientRect(),
        }));
    const meet = (a: DOMRect, b: DOMRect): boolean =>
      a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    const said = boxes(".speech");
    const kept = [...boxes(".corner > *"), ...boxes(".speak"), ...boxes("[data-uncovered]")];
    const found: string[] = [];
    for (const [place, one] of said.entries()) {
      const { left, top, right, bottom } = one.box;
      if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight)
        found.push(`${one.name} leaves the screen`);
      for (const other of [...said.slice(place + 1), ...kept]) {
        if (meet(one.box, other.box)) found.push(`${one.name} on ${other.name}`);
      }
      // With text at twice its size, plates overlap one another.
      for (const plate of large ? [] : boxes(".plate")) {
        if (plate.seat !== one.seat && meet(one.box, plate.box)) found.push(`${one.name} on ${plate.name}`);
      }
    }
    return found;
  }, large);
}

for (const size of [PHONE, SIDEWAYS, TABLET, DESKTOP]) {
  for (const large of [false, true]) {
    const words = large ? ", with words of twice their size," : "";
    test(`many speech bubbles at once${words} at ${size.width}×${size.height}`, async ({ person }) => {
      const { page } = await person({ locale: "fr", deck: "french" }, size);
      for (const [scene, players] of [
        ["crowd_of_4", 4],
        ["schieber_play", 4],
        ["crowd_of_6", 6],
        ["crowd_of_8", 8],
      ] as const) {
        const stage = await openScene(page, scene, NAMES);
        await page.locator("main#content").waitFor();
        if (large) await page.addStyleTag({ content: ":root { font-size: 212.5% !important }" });
        await expect(page.locator(".plate")).toHaveCount(players - 1);
        speak(stage, players);
        await expect(page.locator(".speech")).toHaveCount(players);
        await animationsDone(page);
        await expect.poll(() => faults(page, large), { message: scene }).toEqual([]);
        // On a low mat the reader's panel covers some of eight players.
        if (!large && !(players === 8 && size === SIDEWAYS)) {
          await expect(page.locator("li .speech").filter({ visible: true }), scene).toHaveCount(players - 1);
        }
        if (!large) await expectNoOverflow(page);
      }
    });
  }
}

test("a speech bubble makes way for a button that appears later", async ({ person }) => {
  const { page } = await person({ locale: "fr", deck: "french" }, PHONE);
  const stage = await openScene(page, "crowd_of_4", NAMES);
  await page.locator("main#content").waitFor();
  speak(stage, 4);
  await expect(page.locator(".speech")).toHaveCount(4);
  await animationsDone(page);
  await page.evaluate(() => {
    const said = document.querySelector("li .speech")?.getBoundingClientRect() as DOMRect;
    const button = document.createElement("div");
    button.dataset.uncovered = "";
    button.style.cssText = `position: fixed; left: ${said.left}px; top: ${said.top}px; width: 60px; height: 44px`;
    document.querySelector("main")?.append(button);
  });
  expect(await faults(page, false)).toEqual([]);
});
