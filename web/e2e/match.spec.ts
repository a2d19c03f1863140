import { fastForward } from "./fast-forward";
import {
  nextDecision,
  bid,
  chooseGame,
  expect,
  ownCards,
  playNow,
  playUntil,
  setNumber,
  test,
} from "./page-actions";

test.describe("at a lifelike pace", () => {
  // One whole match with all pauses and animations; the other tests are faster.
  test.use({ pace: "lifelike" });

  test("a whole match of Molotov Jass against bots", async ({ person }) => {
    const { page } = await person({ nickname: "Anna" });
    await chooseGame(page, "Molotov Jass");
    await setNumber(page, "Strokes to win", 1);
    await playNow(page);

    await nextDecision(page);
    await expect(page.getByRole("heading", { name: "Molotov Jass" })).toBeVisible();
    await expect(ownCards(page)).toHaveCount(9);
    await expect(page.locator("[data-trump]")).toBeVisible();

    let trumpSeen = false;
    await playUntil(page, async () => {
      trumpSeen ||= (await page.locator('[data-trump]:not([data-trump="none"])').count()) > 0;
      return false;
    });
    expect(trumpSeen).toBe(true);

    await expect(page.getByRole("heading", { level: 2, name: /win/ })).toBeVisible();
    await expect(page.getByText(/The first stroke wins/)).toBeVisible();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download the record" }).click();
    expect((await download).suggestedFilename()).toBe("molotov.jass.json");

    await page.getByRole("button", { name: "Rematch" }).click();
    await nextDecision(page);
    await expect(ownCards(page).first()).toBeVisible();
  });
});

test("a whole match of Differenzler against bots", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  await chooseGame(page, "Differenzler");
  await setNumber(page, "Rounds", 4);
  await playNow(page);

  expect(await nextDecision(page)).toBe("bid");
  await page.getByRole("textbox", { name: /^Your bid/ }).fill("158");
  await page.getByRole("button", { name: "Bid", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("0 to 157");
  await page.getByRole("slider").fill("33");
  await expect(page.getByRole("textbox", { name: /^Your bid/ })).toHaveValue("33");
  await bid(page, 33);
  await expect(page.locator('[data-own="bid"]')).toHaveText("33");

  let rounds = 0;
  await playUntil(page, async (moment) => {
    if (moment !== "round") return false;
    rounds += 1;
    const row = page.getByRole("row", { name: /^Anna/ });
    const cells = (await row.getByRole("cell").allInnerTexts()).map(Number);
    const [bids, points, difference] = cells as [number, number, number];
    expect(bids).toBe(rounds === 1 ? 33 : 40);
    expect(difference).toBe(Math.abs(bids - points));
    return rounds === 2;
  });
  expect(rounds).toBe(2);
  await fastForward([page], { rounds: 3 });
  await playUntil(page);

  await expect(page.getByRole("heading", { name: "All rounds" })).toBeVisible();
  const table = page.getByRole("table", { name: /Points\/bid/ });
  await expect(table.getByRole("row")).toHaveCount(5);
});

test("Molotow Jass: sticks and potatoes are shown on the slate", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  await chooseGame(page, "Molotow Jass");
  await setNumber(page, "Rounds", 1);
  await playNow(page);
  await playUntil(page);
  const slate = page.getByRole("region", { name: "Slate" });
  await expect(slate.getByText(/Sticks: \d+. Potatoes: \d+. Net: /)).toHaveCount(4);
  await expect(page.getByRole("heading", { level: 2, name: /win/ })).toBeVisible();
});
