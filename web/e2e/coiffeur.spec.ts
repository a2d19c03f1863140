import { playToTheEnd } from "./contract-actions";
import { PHONE } from "./assertions";
import { fastForward } from "./fast-forward";
import { testLayout } from "./layout-scenes";
import { openScene } from "./scenes";
import { chooseGame, expect, startTogether, test } from "./page-actions";

test("two partners play all lines against bots", async ({ person }) => {
  const anna = await person({ nickname: "Anna" }, PHONE);
  const reto = await person({ nickname: "Reto" }, PHONE);
  await chooseGame(anna.page, "Coiffeur");
  // All lines take sixteen rounds, so the bots are fast ones.
  await anna.page.getByRole("radio", { name: "Easy", exact: true }).check();
  await startTogether(anna.page, reto.page, 3);
  await expect(anna.page.locator('[data-camp="ours"]', { hasText: "Reto" })).toContainText("partner");
  const both = [anna.page, reto.page];
  await fastForward(both, { rounds: 15 });
  await Promise.all(both.map((page) => playToTheEnd(page)));

  const slate = anna.page.locator(".slate-here");
  await expect(slate.locator("[data-open]")).toHaveText(["0", "0"]);
  await expect(slate.locator("[data-line]")).toHaveCount(8);
  const written = async (column: number): Promise<number> => {
    const cells = await slate.locator(`tbody td:nth-child(${column})`).allInnerTexts();
    return cells.reduce((sum, text) => sum + Number(text), 0);
  };
  await expect(slate.locator('[data-total="ours"]')).toHaveText(String(await written(2)));
  await expect(slate.locator('[data-total="theirs"]')).toHaveText(String(await written(3)));
  const titles = await Promise.all([anna, reto].map(({ page }) => page.locator("#match-title").innerText()));
  for (const title of titles) expect(title).toMatch(/win/);
  expect(titles[0]?.startsWith("You")).toBe(titles[1]?.startsWith("You"));
});

test.describe("at a chosen moment", () => {
  test("lines have fixed places with their factors, and played ones are written", async ({ person }) => {
    const { page } = await person();
    const { sent } = await openScene(page, "coiffeur_ten");
    const panel = page.getByRole("region", { name: "What is played?" });
    await expect(panel.locator("[data-line]")).toHaveCount(6);
    await expect(panel.locator("[data-played]")).toHaveCount(4);
    await expect(panel.locator('[data-played="joker 9"]')).toContainText("Joker: played, 729 written");
    await expect(panel.getByRole("button", { name: "Diamonds trump, counts 4 times" })).toBeVisible();
    await expect(panel.getByRole("button", { name: "Push" })).toContainText("then Reto announces");
    await panel.getByRole("button", { name: "Spades trump, counts 3 times" }).click();
    expect(sent).toEqual(["trump S"]);
  });

  test("a joker asks for its contract in a second step", async ({ person }) => {
    const { page } = await person();
    const stage = await openScene(page, "coiffeur_first");
    await page.getByRole("button", { name: "Joker, counts 7 times" }).click();
    const second = page.getByRole("region", { name: "Joker ×7: what is played?" });
    await expect(second).toBeFocused();
    await expect(second.locator("[data-choice]")).toHaveCount(6);
    await second.getByRole("button", { name: "Back" }).click();
    await expect(page.locator(":focus")).toHaveAttribute("data-line", "joker 7");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Joker ×7: hearts trump" }).click();
    expect(stage.sent).toEqual(["joker 7 trump H"]);
  });

  test("another player's joker is announced and shown on mat and slate", async ({ person }) => {
    const { page } = await person();
    const stage = await openScene(page, "coiffeur_first");
    stage.step();
    stage.step();
    const sign = page.locator('[data-contract="joker 7 trump S"]');
    await expect(sign).toContainText("Joker: spades trump");
    await expect(sign).toContainText("×7");
    await expect(sign).toContainText("by Reto, pushed");
    await expect(page.getByRole("log")).toContainText("Reto: Joker ×7: spades trump");
    const row = page.locator('.slate [data-line="joker 7"] td');
    await expect(row).toHaveText(["open", "in play"]);
  });

  test("a forced announcement is explained, and without open lines only push remains", async ({ person }) => {
    const { page } = await person();
    await openScene(page, "coiffeur_must");
    await expect(page.getByText("All have pushed: you must announce.")).toBeVisible();
    await expect(page.locator('.choose [data-choice="push"]')).toHaveCount(0);
    const other = (await person()).page;
    const { sent } = await openScene(other, "coiffeur_closed");
    await expect(other.getByText("All your lines have been played.")).toBeVisible();
    await expect(other.locator(".choose button")).toHaveCount(1);
    await other.locator('.choose [data-choice="push"]').click();
    expect(sent).toEqual(["push"]);
  });

  test("the slate shows written lines and the number of open ones", async ({ person }) => {
    const { page } = await person();
    await openScene(page, "coiffeur_ten");
    const slate = page.getByRole("region", { name: "Slate" });
    const line = (text: string) => slate.locator(`[data-line="${text}"] td`);
    await expect(slate.locator('[data-line="bottoms"] .line')).toHaveText("Bottoms");
    await expect(line("joker 9")).toHaveText(["729", "open"]);
    await expect(line("slalom")).toHaveText(["open", "1799"]);
    await expect(slate.locator("[data-open]")).toHaveText(["6", "8"]);
    await expect(slate.locator('[data-total="theirs"]')).toHaveText("2090");
  });

  test("only the announcing side scores, times the factor", async ({ person }) => {
    const { page } = await person();
    await openScene(page, "coiffeur_round");
    const row = (name: string) => page.getByRole("row", { name: new RegExp(`^${name}`) });
    await expect(row("Together").getByRole("cell")).toHaveText(["257", "0"]);
    await expect(row("Written×8").getByRole("cell")).toHaveText(["2056", /nothing/]);
    await expect(page.locator(".sheet")).toContainText("Match: your side took all nine tricks!");
  });
});

const SHOWN = [
  "coiffeur_first",
  "coiffeur_ten",
  "coiffeur_must",
  "coiffeur_play",
  "coiffeur_watched",
  "coiffeur_round",
  "coiffeur_over",
];

testLayout(SHOWN, ".plate", ".trick li", ".corner > *");
