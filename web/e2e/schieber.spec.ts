import { playRound, playToTheEnd } from "./contract-actions";
import { animationsDone, overlaps, PHONE } from "./assertions";
import { fastForward } from "./fast-forward";
import { testLayout } from "./layout-scenes";
import { openScene } from "./scenes";
import { chooseGame, expect, ownCards, playNow, setNumber, startTogether, test } from "./page-actions";

test("four rounds with a bot partner against bots", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" }, PHONE);
  await chooseGame(page, "Schieber");
  await expect(page.getByRole("group", { name: "Rounds" })).toContainText("until the target is reached");
  await setNumber(page, "Rounds", 4);
  await playNow(page);
  const met = await playRound(page);
  await fastForward([page], { rounds: 3 });
  await playToTheEnd(page, met);
  expect([...met]).toEqual(expect.arrayContaining(["play", "round", "over"]));
  await expect(page.locator("#match-title")).toHaveText(/win|draw/);
  await expect(page.locator(".tables tbody tr").filter({ hasText: /^4/ })).toHaveCount(1);
});

test("two people and two bot partners play to 1000", async ({ person }) => {
  const anna = await person({ nickname: "Anna" }, PHONE);
  const reto = await person({ nickname: "Reto" }, PHONE);
  await chooseGame(anna.page, "Schieber");
  await anna.page.getByRole("radio", { name: "Easy", exact: true }).check();
  await startTogether(anna.page, reto.page, 2);
  await expect(anna.page.locator('[data-camp="theirs"]', { hasText: "Reto" })).toBeVisible();
  await expect(anna.page.locator('[data-camp="ours"]')).toContainText(/partner|pushed/);
  const both = [anna.page, reto.page];
  await fastForward(both, { points: 850 });
  await Promise.all(both.map((page) => playToTheEnd(page)));

  const totals = await anna.page.locator(".slate-here [data-total]").allInnerTexts();
  expect(Math.max(...totals.map(Number))).toBeGreaterThanOrEqual(1000);
  const [ours, theirs] = totals.map(Number) as [number, number];
  const won = (text: string) => expect.soft(text).toMatch(/^You and .* win!$/);
  const lost = (text: string) => expect.soft(text).not.toMatch(/^You/);
  const titles = await Promise.all([anna, reto].map(({ page }) => page.locator("#match-title").innerText()));
  (ours > theirs ? won : lost)(titles[0] ?? "");
  (ours > theirs ? lost : won)(titles[1] ?? "");
});

test.describe("at a chosen moment", () => {
  test("contracts are large buttons in the deck's suits, and push is the widest", async ({ person }) => {
    const { page } = await person({ deck: "swiss" }, PHONE);
    const { sent } = await openScene(page, "schieber_asked");
    const panel = page.getByRole("region", { name: "What is played?" });
    for (const name of ["acorns trump", "bells trump", "roses trump", "shields trump"]) {
      const button = panel.getByRole("button", { name: new RegExp(name, "i") });
      await expect(button.locator("svg use")).toHaveAttribute("href", /^#suit-swiss-/);
    }
    await expect(panel.getByRole("button", { name: /^Tops/ }).locator("svg path")).toBeVisible();
    const widths = await panel
      .getByRole("button")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
    const push = panel.getByRole("button", { name: "Push" });
    expect((await push.boundingBox())?.width).toBe(Math.max(...widths));
    await expect(push).toContainText("then Lea announces");
    await push.click();
    expect(sent).toEqual(["push"]);
  });

  test("the mat shows the contract with its announcer, push and factor", async ({ person }) => {
    const { page } = await person();
    const stage = await openScene(page, "schieber_pushed");
    const sign = page.locator("[data-contract]");
    await expect(sign).toHaveCount(0);
    await expect(page.getByText("Lea has pushed to you.")).toBeVisible();
    await expect(page.locator('[data-seat="2"]')).toContainText("pushed");
    await expect(page.locator('.choose [data-choice="push"]')).toHaveCount(0);
    await page.getByRole("button", { name: "Slalom, counts 3 times" }).click();
    await page.getByRole("button", { name: "Slalom, bottoms first" }).click();
    expect(stage.sent).toEqual(["slalom bottoms"]);
    stage.step();
    await expect(sign).toContainText("Slalom ×3");
    await expect(sign).toContainText("by you, pushed");
    await expect(sign).toContainText("This trick: Bottoms");
    await expect(page.getByRole("log")).toContainText("You: Slalom, bottoms first, counts 3 times");
  });

  test("announcements of others are shown at their seats and announced", async ({ person }) => {
    const { page } = await person();
    const stage = await openScene(page, "schieber_others");
    await expect(page.locator(".choose")).toHaveCount(0);
    await expect(page.getByText("Reto is thinking it over").first()).toBeVisible();
    stage.step();
    await expect(page.locator('[data-seat="1"]')).toContainText("pushed");
    stage.step();
    await expect(page.locator('[data-contract="bottoms"]')).toContainText("by Urs, pushed");
    await expect(page.locator('[data-seat="3"] .announced')).toBeVisible();
    await expect(page.getByRole("log")).toContainText("Urs: Bottoms");
  });

  test("the partner sits opposite and is marked, and the opponents are marked as such", async ({
    person,
  }) => {
    const { page } = await person();
    await openScene(page, "schieber_asked");
    await expect(page.locator('[data-seat="2"][data-camp="ours"]')).toContainText("partner");
    for (const seat of [1, 3]) {
      await expect(page.locator(`[data-seat="${seat}"][data-camp="theirs"]`)).toBeVisible();
    }
    const boxes = await page
      .locator(".plate")
      .evaluateAll((all) =>
        all.map((one) => ({ seat: one.getAttribute("data-seat"), y: one.getBoundingClientRect().y })),
      );
    const top = boxes.sort((a, b) => a.y - b.y)[0];
    expect(top?.seat).toBe("2");
  });

  test("on a phone nothing covers a name, and its final number is never cut off", async ({ person }) => {
    const { page } = await person({}, PHONE);
    const stage = await openScene(page, "schieber_others", [
      "Anna",
      "Ordinateur 1",
      "Reto",
      "Maximiliane O. 12",
    ]);
    for (let step = 0; step < 2; step++) stage.step();
    await expect(page.locator('[data-seat="3"] .announced')).toBeVisible();
    await animationsDone(page);
    expect(await overlaps(page, ".plate .name", ".plate .camp, .plate .hanging > *")).toEqual([]);
    const shown = await page.locator(".plate .name").evaluateAll((names) =>
      names.map((name) => {
        const [text, number] = ["stem", "number"].map((part) => name.querySelector(`.${part}`));
        const whole = (text?.scrollWidth ?? 0) <= (text?.clientWidth ?? 0);
        const edge = name.closest(".plate")?.getBoundingClientRect().right ?? 0;
        const within = !number || number.getBoundingClientRect().right < edge;
        return { name: name.textContent.trim(), whole, within };
      }),
    );
    expect(shown).toEqual([
      { name: "Ordinateur 1", whole: true, within: true },
      { name: "Reto", whole: true, within: true },
      { name: "Maximiliane O. 12", whole: false, within: true },
    ]);
  });

  test("Weis is announced with the card, and the best side shows it after the first trick", async ({
    person,
  }) => {
    const { page } = await person();
    const stage = await openScene(page, "schieber_weis");
    const weis = page.getByRole("switch", { name: /^Announce Weis \(50\)/ });
    await expect(weis).toBeChecked();
    await page.getByRole("button", { name: /^seven of diamonds/ }).click({ position: { x: 12, y: 12 } });
    expect(stage.sent).toEqual(["play 7D weis"]);
    for (let step = 0; step < 4; step++) stage.step();
    const log = page.getByRole("log");
    await expect(log).toContainText("Your side shows Weis: +150. 50: jack of hearts");
    await expect(page.locator("aside").getByText("Your side shows Weis: +150")).toBeVisible();
    await expect(page.locator("aside .meld")).toHaveCount(3);
  });

  test("Stöck is called once, with the second card", async ({ person }) => {
    const { page } = await person();
    const stage = await openScene(page, "schieber_play");
    const ours = page.locator('.sides [data-side="ours"] [data-points]');
    await expect(ours).toHaveText("177");
    stage.step();
    const log = page.getByRole("log");
    await expect(log).toContainText("Stöck: +20 for you");
    await expect(ours).toHaveText("177");
    for (let step = 0; step < 3; step++) stage.step();
    await expect(ours).toHaveText("200");
    await expect(log.getByText("Stöck")).toHaveCount(1);
  });

  test("the slate has a Z for each side: hundreds, fifties, twenties, the rest", async ({ person }) => {
    const { page } = await person();
    await openScene(page, "schieber_slate");
    const slate = page.getByRole("region", { name: "Slate" });
    const ours = slate.locator('[data-side="ours"]');
    await expect(ours.locator("[data-total]")).toHaveText("555");
    await expect(ours).toContainText("Hundreds: 3. Fifties: 4. Twenties: 2. Rest: 15.");
    await expect(ours.locator("svg text")).toHaveText("15");
    await expect(slate.locator('[data-side="theirs"] [data-total]')).toHaveText("370");
    await expect(slate.getByText("The first side to 1000 points wins")).toBeVisible();
  });

  test("the round result adds up tricks, match, Weis and Stöck by side", async ({ person }) => {
    const { page } = await person();
    await openScene(page, "schieber_round");
    const row = (name: string) => page.getByRole("row", { name: new RegExp(`^${name}`) });
    await expect(row("Tricks").getByRole("cell")).toHaveText(["157", "0"]);
    await expect(row("Match").getByRole("cell")).toHaveText(["100", "–"]);
    await expect(row("Weis").getByRole("cell")).toHaveText(["150", "–"]);
    await expect(row("Stöck").getByRole("cell")).toHaveText(["20", "–"]);
    await expect(row("Written").getByRole("cell")).toHaveText(["427", "0"]);
    await expect(page.locator(".sheet")).toContainText("by Lea, pushed");
  });

  test("both partners win, and the opponents see who did", async ({ person }) => {
    const { page } = await person();
    await openScene(page, "schieber_won");
    await expect(page.getByRole("heading", { name: "You and Lea win!" })).toBeVisible();
    await page.keyboard.press("Shift");
    await expect(page.getByRole("heading", { name: "You and Lea win!" })).toBeFocused();
    await expect(page.getByRole("row", { name: /^1 / }).first()).toContainText("257");
    const other = await person();
    await openScene(other.page, "schieber_lost");
    await expect(other.page.getByRole("heading", { name: "Anna and Lea win" })).toBeVisible();
  });

  test("a contract can be chosen and announced with the keyboard alone", async ({ person }) => {
    const { page } = await person();
    const keys = page.keyboard;
    const focused = page.locator(":focus");
    const { sent } = await openScene(page, "schieber_pushed");
    await expect(page.getByRole("region", { name: "What is played?" })).toBeVisible();
    await page.keyboard.press("Shift");
    await expect(page.getByRole("region", { name: "What is played?" })).toBeFocused();
    // Past four suits, tops and bottoms to the line with a second step.
    for (let step = 0; step < 7; step++) await keys.press("Tab");
    await expect(focused).toHaveAttribute("data-step", "slalom");
    await keys.press("Enter");
    await expect(page.getByRole("region", { name: "Slalom: how does it begin?" })).toBeFocused();
    await keys.press("Escape");
    await expect(focused).toHaveAttribute("data-line", "slalom");
    await keys.press("Shift+Tab");
    await keys.press("Shift+Tab");
    await expect(focused).toHaveAttribute("data-choice", "tops");
    await keys.press("Space");
    await expect.poll(() => sent).toEqual(["tops"]);
  });

  test("tapping a card before the announcement explains that a contract comes first", async ({ person }) => {
    const { page } = await person();
    await openScene(page, "schieber_asked");
    await ownCards(page)
      .first()
      .click({ position: { x: 12, y: 12 }, force: true });
    await expect(page.locator(".why")).toHaveText(
      "First announce what is played; cards are played after that.",
    );
  });
});

const SHOWN = [
  "schieber_asked",
  "schieber_pushed",
  "schieber_others",
  "schieber_weis",
  "schieber_slalom",
  "schieber_watched",
  "schieber_round",
  "schieber_slate",
  "schieber_won",
];

testLayout(SHOWN, ".plate", ".trick li", ".first > *", ".corner > *");
