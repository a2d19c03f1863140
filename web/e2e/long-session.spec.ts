// An evening of Schieber: people chat, one is away for a while, and later they review the costliest card.
import { playRound, playToTheEnd } from "./contract-actions";
import { DESKTOP, expectFitsAndAccessible, PHONE } from "./assertions";
import { fastForward } from "./fast-forward";
import { chooseGame, expect, leaveMatch, ownCards, setNumber, startTogether, test } from "./page-actions";

/** Analysing a round of Schieber takes the server a while next to all the other tests. */
const THOUGHT_OVER = { timeout: 180_000 };

test("a match with chat, a substituted partner, its replay and its costliest card", async ({ person }) => {
  test.slow();
  const { page: anna } = await person({ nickname: "Anna" }, DESKTOP);
  const { page: reto } = await person({ nickname: "Reto" }, DESKTOP);
  await chooseGame(anna, "Schieber");
  await setNumber(anna, "Rounds", 4);
  await startTogether(anna, reto, 3);
  await expect(ownCards(reto)).toHaveCount(9);

  await test.step("they talk", async () => {
    await anna.getByRole("button", { name: "Say something" }).click();
    await anna.locator('[data-phrase="good_luck"]').click();
    await expect(reto.locator('[data-said="0"]')).toHaveText("Good luck!");
    await expect(reto.getByRole("log")).toContainText("Anna says: Good luck!");
    await reto.getByRole("button", { name: "Say something" }).click();
    await reto.locator('[data-phrase="thanks"]').click();
    await expect(anna.locator('[data-said="2"]')).toHaveText("Thank you!");
  });

  const table = new URL(reto.url()).pathname;
  await test.step("the partner is called away, and a computer plays for them", async () => {
    await leaveMatch(reto);
    await expect(reto.getByRole("heading", { name: "Choose a game" })).toBeVisible();
    await playRound(anna);
    await expect(anna.locator(".sheet")).toBeVisible();
  });

  await test.step("the partner is back, and plays to the end", async () => {
    await reto.goto(table);
    await reto.getByRole("button", { name: "Back to my seat" }).click();
    await expect(reto.getByText("You are watching.")).toHaveCount(0);
    await fastForward([anna, reto], { rounds: 3 });
    await Promise.all([playToTheEnd(anna), playToTheEnd(reto)]);
    for (const page of [anna, reto]) await expect(page.locator("#match-title")).toHaveText(/win|draw/);
  });

  await test.step("the replay shows every round", async () => {
    await anna.getByRole("link", { name: "Replay and analysis" }).click();
    await expect(anna.locator(".controls .place")).toHaveText(/^0 /);
    await anna.keyboard.press("End");
    await expect(anna.locator(".controls .told")).toContainText("Round 4 is over");
  });

  await test.step("the analysis leads to the dearest card, and says why", async () => {
    await anna.setViewportSize(PHONE);
    await anna.getByRole("button", { name: "Analyse" }).click();
    const dearest = anna.locator(".analysis ol button").first();
    await expect(dearest).toBeVisible(THOUGHT_OVER);
    const step = await dearest.getAttribute("data-step");
    await dearest.click();
    await expect(anna).toHaveURL(new RegExp(`\\?step=${step}$`));
    const decision = anna.locator(".decision");
    await expect(decision.locator(".why")).not.toBeEmpty();
    const played = await decision.locator("[data-played]").getAttribute("data-played");
    expect(await decision.locator("[data-best]").getAttribute("data-best")).not.toBe(played);
    await expectFitsAndAccessible(anna);
  });
});
