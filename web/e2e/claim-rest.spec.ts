// Claiming the rest of a round: offered to the leader if all remaining tricks are sure.
import { animationsDone, DESKTOP, expectAccessible, PHONE } from "./assertions";
import { openScene, type Stage } from "./scenes";
import { expect, expectNoOverflow, ownCards, test } from "./page-actions";

/** The cards of four tricks, which end the round. */
const LAID = 16;

/** Sends the page the server's messages after the claim. */
async function layRest(stage: Stage): Promise<void> {
  await expect.poll(() => stage.asked.map(({ type }) => type)).toEqual(["take_rest"]);
  stage.tell({ kind: "rest_taken", seat: 0 }, {});
  for (let card = 0; card < LAID; card += 1) stage.step();
}

for (const [size, theme, by] of [
  [PHONE, "dark", "tap"],
  [DESKTOP, "light", "key"],
] as const) {
  test(`the rest of a round is offered and claimed by ${by}, at ${size.width}×${size.height}`, async ({
    person,
  }) => {
    const { page } = await person({ nickname: "Anna", theme }, size);
    const stage = await openScene(page, "schieber_rest");
    const button = page.getByRole("button", { name: "The rest is mine" });
    await expect(button).toBeVisible();
    await expect(page.getByRole("log")).toContainText("You can take all remaining tricks.");
    await animationsDone(page);
    await expectNoOverflow(page);
    await expectAccessible(page, "main");
    if (by === "tap") await button.click();
    else {
      await page.keyboard.press("r");
      await expect(button).toBeFocused();
      await page.keyboard.press("Enter");
    }
    await layRest(stage);
    await expect(page.getByRole("log")).toContainText("You take the rest.");
    await expect(button).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Next round" })).toBeVisible();
    await expect(ownCards(page)).toHaveCount(0);
    await expect(page.getByRole("log")).not.toContainText("plays");
    expect(stage.sent).toEqual([]);
  });
}

test("an uncertain rest is not offered", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  const { asked } = await openScene(page, "schieber_play");
  await expect(ownCards(page)).not.toHaveCount(0);
  await expect(page.getByRole("button", { name: "The rest is mine" })).toHaveCount(0);
  await page.keyboard.press("r");
  expect(asked).toEqual([]);
});

test("in text mode a command claims the rest, and an uncertain claim is explained", async ({ person }) => {
  const { page } = await person({ nickname: "Anna", mode: "text" });
  const stage = await openScene(page, "schieber_rest");
  const entry = page.locator("#entry");
  const log = page.getByRole("log");
  await expect(log).toContainText("You can take all remaining tricks: “rest”.");
  await expect(page.getByRole("button", { name: "The rest is mine" })).toBeVisible();
  await entry.fill("rest");
  await entry.press("Enter");
  await layRest(stage);
  await expect(log).toContainText("You take the rest.");
  await expect(page.getByRole("button", { name: "Next round" })).toBeVisible();
  await entry.fill("rest");
  await entry.press("Enter");
  await expect(log).toContainText("It is not sure now that all tricks are yours.");
});
