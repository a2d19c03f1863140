import { awaited, chooseGame, expect, ownCards, test } from "./table";

test("a round with the keyboard alone", async ({ person }) => {
  const { page } = await person({ nickname: "" });
  const keys = page.keyboard;
  const focused = page.locator(":focus");
  await page.goto("/");
  await expect(page.getByRole("radio", { name: /^Molotov Jass/ })).toBeVisible();

  await keys.press("Tab");
  await expect(focused).toHaveText("Skip to the content");
  await keys.press("Enter");
  await keys.press("Tab");
  await expect(focused).toHaveAttribute("value", "schieber");
  for (let down = 0; down < 5; down++) await keys.press("ArrowDown");
  await expect(page.getByRole("radio", { name: /^Differenzler/ })).toBeChecked();

  const nickname = page.getByRole("textbox", { name: "Nickname" });
  while (!(await nickname.evaluate((field) => field === document.activeElement))) {
    await keys.press("Tab");
  }
  await keys.type("Anna");
  await keys.press("Enter");

  expect(await awaited(page)).toBe("bid");
  const field = page.getByRole("textbox", { name: /^Your bid/ });
  while (!(await field.evaluate((one) => one === document.activeElement))) await keys.press("Tab");
  await keys.type("28");
  await keys.press("Enter");
  await expect(page.locator('[data-own="bid"]')).toHaveText("28");

  let refused = 0;
  for (;;) {
    const moment = await awaited(page);
    if (moment === "round") break;
    expect(moment).toBe("play");
    const count = await ownCards(page).count();
    await keys.press("1");
    await expect(ownCards(page).first()).toBeFocused();
    const shut = await ownCards(page).evaluateAll((cards) =>
      cards.findIndex((card) => card.getAttribute("aria-disabled") === "true"),
    );
    if (shut >= 0) {
      refused += 1;
      await keys.press(String(shut + 1));
      await keys.press("Enter");
      await expect(page.locator(".why")).toBeVisible();
      await expect(ownCards(page)).toHaveCount(count);
      await keys.press("Home");
    }
    for (let step = 0; step < count; step++) {
      if ((await focused.getAttribute("aria-disabled")) === "false") break;
      await keys.press("ArrowRight");
    }
    await keys.press("Enter");
    await expect(ownCards(page)).toHaveCount(count - 1);
  }
  expect(refused).toBeGreaterThan(0);

  await expect(page.getByRole("heading", { name: "Round 1 is over" })).toBeFocused();
  await keys.press("Tab");
  await expect(focused).toHaveText("Next round");
  await keys.press("Enter");
  await expect(page.getByRole("heading", { name: "Round 1 is over" })).toHaveCount(0);
  expect(await awaited(page)).toBe("bid");
});

test("what is played is told to screen readers", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  await chooseGame(page, "Molotov Jass");
  await page.getByRole("button", { name: /^Play now/ }).click();
  await awaited(page);
  const log = page.getByRole("log");
  await expect(log).toContainText("Your turn");
  const card = page.getByRole("button", { name: /, playable$/ }).first();
  const name = (await card.getAttribute("aria-label"))?.replace(", playable", "") ?? "";
  await card.click({ position: { x: 14, y: 14 } });
  await expect(log).toContainText(`You play ${name}`);
});

test("a panel takes the focus, gives it back and closes with Escape", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  await page.goto("/");
  const open = page.getByRole("button", { name: "Settings" });
  await open.press("Enter");
  await expect(page.getByRole("dialog", { name: "Settings" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(open).toBeFocused();
});
