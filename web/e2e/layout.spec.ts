import type { Page } from "@playwright/test";
import {
  animationsDone,
  boxOf,
  DESKTOP,
  expectFitsAndAccessible,
  expectTappable,
  overlaps,
  PHONE,
} from "./assertions";
import { fastForward } from "./fast-forward";
import { openScene } from "./scenes";
import { view } from "./views";
import {
  nextDecision,
  bid,
  chooseGame,
  expect,
  expectNoOverflow,
  POLLING,
  ownCards,
  playNow,
  playUntil,
  playCard,
  setNumber,
  test,
} from "./page-actions";

for (const [size, theme, deck, locale] of [
  [PHONE, "light", "swiss", "de"],
  [PHONE, "dark", "french", "fr"],
  [DESKTOP, "light", "french", "it"],
  [DESKTOP, "dark", "swiss", "de"],
] as const) {
  test(`every screen at ${size.width}×${size.height}, ${theme}, ${locale}`, async ({ person }) => {
    const { page } = await person({ locale, deck, theme, nickname: "Anna-Katharina" }, size);
    await page.goto("/");
    await expect(page.locator(".tile")).toHaveCount(8);
    await page.locator("summary").click();
    await expectFitsAndAccessible(page);
    await page.locator(".tools button").last().click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await expectFitsAndAccessible(page);
    await page.keyboard.press("Escape");

    await page.getByRole("radio", { name: /^Molotov/ }).check();
    await page.locator('.actions button[type="button"]').click();
    await expect(page.locator(".lobby")).toBeVisible();
    await expectFitsAndAccessible(page);
    await page.locator(".lobby .primary").click();

    await expect(ownCards(page)).toHaveCount(9);
    await expect(page.locator("#hand .open").first()).toBeVisible();
    await expectTappable(page);
    await expectFitsAndAccessible(page);
    await playCard(page);
    await expect(page.locator("#hand .open").first()).toBeVisible();
    await expectTappable(page);
  });
}

for (const [size, theme] of [
  [PHONE, "dark"],
  [DESKTOP, "light"],
] as const) {
  test(`a round of Differenzler at ${size.width}×${size.height}`, async ({ person }) => {
    const { page } = await person({ theme, nickname: "Anna-Katharina" }, size);
    await chooseGame(page, "Differenzler");
    await setNumber(page, "Rounds", 4);
    await playNow(page);
    await nextDecision(page);
    await expectFitsAndAccessible(page);
    await bid(page, 20);
    await playUntil(page, (moment) => moment === "round");
    await expectFitsAndAccessible(page);
    if (size === PHONE) {
      await page.getByRole("button", { name: "Slate" }).click();
      await expectFitsAndAccessible(page);
    }
  });

  test(`the end of a match at ${size.width}×${size.height}`, async ({ person }) => {
    const { page } = await person({ theme, nickname: "Anna-Katharina" }, size);
    await chooseGame(page, "Molotov Jass");
    await page.getByRole("radio", { name: "6", exact: true }).check();
    await setNumber(page, "Strokes to win", 1);
    await playNow(page);
    await fastForward([page], {});
    await expect(page.locator("#match-title")).toBeVisible();
    await expectFitsAndAccessible(page);
  });
}

const LAPTOPS = [
  { width: 1280, height: 800 },
  { width: 1366, height: 768 },
  { width: 1440, height: 900 },
];

test("game and buttons of the start page stand in the first screen of a laptop", async ({ person }) => {
  for (const locale of ["de", "fr", "it", "en"] as const) {
    const { page } = await person({ locale });
    for (const size of LAPTOPS) {
      await page.setViewportSize(size);
      await page.goto("/");
      await expect(page.locator(".tile")).toHaveCount(8);
      for (const seen of [page.locator(".setup h2"), ...(await page.locator(".actions button").all())])
        await expect(seen).toBeInViewport({ ratio: 1 });
      expect(await page.evaluate(() => scrollY)).toBe(0);
      // Longer options do not push the buttons out of sight.
      await page.locator("summary").click();
      for (const button of await page.locator(".actions button").all())
        await expect(button).toBeInViewport({ ratio: 1 });
    }
    // What has the focus is not covered by the bar.
    const last = page.locator(".rules button");
    await last.focus();
    const [field, bar] = await Promise.all([boxOf(last), boxOf(page.locator(".actions"))]);
    expect(field.y + field.height).toBeLessThanOrEqual(bar.y);
  }
});

test("six players fit on a phone, and so do hands of twelve cards", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" }, PHONE);
  for (const [players, cards] of [
    [6, 6],
    [5, 7],
    [3, 12],
  ] as const) {
    await chooseGame(page, "Molotov Jass");
    await page.getByRole("radio", { name: String(players), exact: true }).check();
    await playNow(page);
    await expect(ownCards(page)).toHaveCount(cards);
    await nextDecision(page);
    await expectTappable(page);
    await expectNoOverflow(page);
    await expect(page.locator(".plate")).toHaveCount(players - 1);
    for (const plate of await page.locator(".plate").all())
      await expect(plate).toBeInViewport({ ratio: 0.99 });
    expect(await overlaps(page, ".plate", ".speak")).toEqual([]);
  }
});

test.describe("in the middle of a trick", () => {
  // Needs the cards that lie on the table while others play; at hurried pace there is hardly any.
  test.use({ pace: "lifelike" });

  test("no card on the table covers a player's plate on a phone with three to six players", async ({
    person,
  }) => {
    const { page } = await person({ nickname: "Anna" }, PHONE);
    for (const players of [3, 4, 5, 6]) {
      await chooseGame(page, "Molotov Jass");
      await page.getByRole("radio", { name: String(players), exact: true }).check();
      await playNow(page);
      const seen = new Set<number>();
      let plays = 0;
      await playUntil(page, async (moment) => {
        if (moment !== "play" || (++plays > 3 && Math.max(...seen) > 0)) return true;
        // Measured in the same step, because the next card may follow at once.
        const lying = await page.waitForFunction(
          () => {
            if (document.getAnimations().some((one) => one.playState === "running")) return false;
            const boxes = (selector: string): DOMRect[] =>
              [...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect());
            const cards = boxes(".trick li:not([inert])"); // cards of the last trick are moving
            const meet = (a: DOMRect, b: DOMRect): boolean =>
              a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
            const hidden = boxes(".plate").filter((plate) => cards.some((card) => meet(card, plate)));
            return { cards: cards.length, hidden: hidden.length };
          },
          undefined,
          POLLING,
        );
        const { cards, hidden } = (await lying.jsonValue()) as { cards: number; hidden: number };
        expect(hidden, `${players} players, ${cards} cards`).toBe(0);
        seen.add(cards);
        return false;
      });
      expect(Math.max(...seen)).toBeGreaterThan(0);
    }
  });
});

test("open bids are shown as they are made", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  await chooseGame(page, "Differenzler");
  await page.getByText("House rules").click();
  await page.getByRole("combobox", { name: "Bids", exact: true }).selectOption("open");
  await page.getByRole("combobox", { name: "First dealer" }).selectOption("0");
  await page.getByRole("combobox", { name: /^Trump/ }).selectOption("bottom");
  await playNow(page);
  await nextDecision(page);
  await expect(page.locator(".plate").getByText(/^bid \d+$/)).toHaveCount(3);
  await expect(page.getByText(/^Shown by the dealer: /)).toBeAttached();
});

test("language, deck and theme change at once and are kept", async ({ person }) => {
  const { page } = await person({ locale: "en" });
  await page.goto("/");
  await page.getByRole("button", { name: "Deutsch" }).click();
  await expect(page.getByRole("heading", { name: "Wähle ein Spiel" })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await page.getByRole("button", { name: "Einstellungen" }).click();
  await page.getByRole("radio", { name: "Dunkel" }).check();
  await page.getByRole("radio", { name: "Französische" }).check();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Wähle ein Spiel" })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});

const SIDEWAYS = { width: 740, height: 360 };

for (const size of [DESKTOP, SIDEWAYS]) {
  test(`the side panel is on the chosen side at ${size.width}×${size.height}`, async ({ person }) => {
    const beside = size === DESKTOP ? "aside" : "#hand";
    const left = async (page: Page, selector: string): Promise<number> =>
      (await page.locator(selector).boundingBox())?.x ?? NaN;
    const { page } = await person({ nickname: "Anna" }, size);
    await openScene(page, "schieber_play");
    await expect(ownCards(page).first()).toBeVisible();
    expect(await left(page, beside)).toBeGreaterThan(await left(page, "main .table"));

    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("radio", { name: "Left-handed" }).check();
    await page.keyboard.press("Escape");
    expect(await left(page, beside)).toBeLessThan(await left(page, "main .table"));
    await expectNoOverflow(page);
  });
}

test("in large text the names of games stay on their tiles, and a replay's controls beside each other", async ({
  person,
}) => {
  const { page } = await person({}, DESKTOP);
  const enlarge = { content: ":root { font-size: 212.5% !important }" };
  await page.goto("/");
  await page.locator(".tile").first().waitFor();
  await page.addStyleTag(enlarge);
  const beyond = await page.locator(".tile").evaluateAll((tiles) =>
    tiles.flatMap((tile) => {
      const name = document.createRange();
      name.selectNodeContents(tile.querySelector("strong") ?? tile);
      const over = name.getBoundingClientRect().right > tile.getBoundingClientRect().right;
      return over ? [name.toString()] : [];
    }),
  );
  expect(beyond).toEqual([]);

  await view("analysis").open(page);
  await page.setViewportSize(PHONE);
  const rows = await page
    .locator(".steps button")
    .evaluateAll((steps) => new Set(steps.map((step) => step.getBoundingClientRect().top)).size);
  expect(rows).toBe(1);
  await page.setViewportSize(DESKTOP);
  await page.addStyleTag(enlarge);
  expect(await overlaps(page, ".controls select", ".slide", ".steps button")).toEqual([]);
  expect((await boxOf(page.locator(".told"))).width).toBeGreaterThan(250);
});

test("the tools of the start page stand in even rows on the narrowest phone", async ({ person }) => {
  const { page } = await person({}, { width: 320, height: 568 });
  await page.goto("/");
  await page.locator(".tile").first().waitFor();
  const tops = await page
    .locator(".tools :is(button, a)")
    .evaluateAll((tools) => tools.map((tool) => tool.getBoundingClientRect().top));
  expect(tops.filter((top) => top === tops.at(-1)).length).toBeGreaterThan(1);
});

for (const size of [PHONE, DESKTOP]) {
  test(`text at 200 % breaks nothing at ${size.width}×${size.height}`, async ({ person }) => {
    const { page } = await person({}, size);
    for (const scene of [
      "schieber_asked",
      "coiffeur_ten",
      "schieber_weis",
      "four_asked",
      "three_rob",
      "last_claim",
      "round",
      "schieber_won",
    ]) {
      await openScene(page, scene, [
        "Anna-Katharina von Salis",
        "Maximiliane Oberholzer",
        "Reto",
        "Hans-Ueli Zurbriggen",
      ]);
      await page.locator("main#content").waitFor();
      await page.addStyleTag({ content: ":root { font-size: 212.5% !important }" });
      await animationsDone(page);
      await expectNoOverflow(page);
      expect(await overlaps(page, ".choose h2", ".choose .line, .choose .push"), scene).toEqual([]);
      for (const button of await page
        .locator(".choose .push, .answer button, .sheet .primary, .end .primary")
        .all()) {
        await button.scrollIntoViewIfNeeded();
        await expect(button).toBeInViewport({ ratio: 0.99 });
      }
    }
  });
}
