// Taking back the last card: at once when alone, else if the others agree.
import { DESKTOP, expectAccessible, PHONE } from "./assertions";
import { openScene } from "./scenes";
import {
  nextDecision,
  chooseGame,
  expect,
  expectNoOverflow,
  ownCards,
  playNow,
  playCard,
  test,
} from "./page-actions";

test("against bots undo takes effect at once, by Ctrl+Z and by button", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  await chooseGame(page, "Molotov Jass");
  await playNow(page);
  for (const way of ["key", "button"]) {
    await nextDecision(page);
    const cards = await ownCards(page).count();
    await playCard(page);
    await expect(ownCards(page)).toHaveCount(cards - 1);
    const button = page.getByRole("button", { name: "Take back" });
    await button.waitFor();
    if (way === "key") await page.keyboard.press("Control+z");
    else await button.click();
    await expect(ownCards(page)).toHaveCount(cards);
    await expect(button).toHaveCount(0);
    await expect(page.getByRole("log")).toContainText("You take your last card back");
  }
});

for (const [size, theme] of [
  [PHONE, "dark"],
  [DESKTOP, "light"],
] as const) {
  test(`the undo request at ${size.width}×${size.height}`, async ({ person }) => {
    const { page } = await person({ nickname: "Anna", theme }, size);
    const stage = await openScene(page, "schieber_play");
    const reader = 0;
    stage.tell({ kind: "undo_asked", seat: 1 }, { undo: { seat: 1, awaited: [reader, 2] } });
    const question = page.locator("[data-undo]");
    await expect(question).toContainText("Reto would like to take their last card back");
    await expectNoOverflow(page);
    await expectAccessible(page, "[data-undo]");
    await question.getByRole("button", { name: "Agree" }).click();
    await question.getByRole("button", { name: "Decline" }).click();
    await expect
      .poll(() => stage.asked.filter(({ type }) => type === "answer_undo"))
      .toMatchObject([{ accept: true }, { accept: false }]);
    stage.tell({ kind: "undo_declined", seat: 2, other: 1 }, { undo: null });
    await expect(question).toHaveCount(0);
    await expect(page.getByText("Lea does not agree: the card stays.").first()).toBeVisible();

    stage.tell({ kind: "undo_asked", seat: reader }, { undo: { seat: reader, awaited: [1, 3] } });
    await expect(question).toContainText("Waiting for Reto and Urs to agree");
    await expectNoOverflow(page);
    await expectAccessible(page, "[data-undo]");
    await question.getByRole("button", { name: "Never mind" }).click();
    await expect.poll(() => stage.asked.map(({ type }) => type)).toContain("withdraw_undo");
  });
}

test("in text mode undo is accepted and declined by commands, and refusals are explained", async ({
  person,
}) => {
  const { page } = await person({ nickname: "Anna", mode: "text" });
  const stage = await openScene(page, "schieber_play");
  const entry = page.locator("#entry");
  const log = page.getByRole("log");
  for (const [word, told] of [
    ["undo", "There is no card that you may take back now."],
    ["agree", "Nobody asks you now whether a card may be taken back."],
  ] as const) {
    await entry.fill(word);
    await entry.press("Enter");
    await expect(log).toContainText(told);
  }
  stage.tell({ kind: "undo_asked", seat: 1 }, { undo: { seat: 1, awaited: [0] } });
  await expect(log).toContainText("Reto would like to take their last card back.");
  await entry.fill("decline");
  await entry.press("Enter");
  await expect
    .poll(() => stage.asked.filter(({ type }) => type === "answer_undo"))
    .toMatchObject([{ accept: false }]);
});
