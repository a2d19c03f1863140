// The setting by which a first tap on a card only lifts it, and a second one plays it.
import { animationsDone, DESKTOP, expectAccessible, PHONE } from "./assertions";
import { openScene } from "./scenes";
import { expect, expectNoOverflow, ownCards, test } from "./page-actions";

for (const [size, theme] of [
  [PHONE, "dark"],
  [DESKTOP, "light"],
] as const) {
  test(`the second tap plays, at ${size.width}×${size.height}`, async ({ person }) => {
    const { page } = await person({ nickname: "Anna", twoTaps: true, theme }, size);
    const { sent } = await openScene(page, "schieber_play");
    const open = page.locator("#hand .open");
    const first = open.first();
    const lifted = page.locator("#hand .lifted");
    const corner = { position: { x: 14, y: 14 } };

    await first.click(corner);
    await expect(lifted).toHaveCount(1);
    await expect(lifted).toHaveAccessibleName(/lifted: once more plays it$/);
    await animationsDone(page);
    await expectNoOverflow(page);
    await expectAccessible(page, "main");
    await page.locator(".mat").click({ position: { x: 5, y: 5 } });
    await expect(lifted).toHaveCount(0);
    expect(sent).toEqual([]);

    await first.click(corner);
    const other = open.nth(1);
    await other.click(corner);
    await expect(lifted).toHaveCount(1);
    const card = await other.getAttribute("data-card");
    await expect(lifted).toHaveAttribute("data-card", String(card));
    expect(sent).toEqual([]);
    await other.click(corner);
    await expect.poll(() => sent).toEqual([`play ${card}`]);
  });
}

test("a card is lifted and played with the keyboard, and Escape puts it back", async ({ person }) => {
  const { page } = await person({ nickname: "Anna", twoTaps: true });
  const { sent } = await openScene(page, "schieber_play");
  const keys = page.keyboard;
  const lifted = page.locator("#hand .lifted");
  const open = page.locator("#hand .open").first();
  const card = await open.getAttribute("data-card");
  await open.focus();
  await keys.press("Enter");
  await expect(lifted).toHaveAttribute("data-card", String(card));
  await expect(page.getByRole("log")).toContainText("lifted");
  await keys.press("Escape");
  await expect(lifted).toHaveCount(0);
  await keys.press("Enter");
  await keys.press("ArrowRight");
  await expect(lifted).toHaveCount(0);
  await open.focus();
  await keys.press("Enter");
  expect(sent).toEqual([]);
  await keys.press("Enter");
  await expect.poll(() => sent).toEqual([`play ${card}`]);
});

test("two-tap play can be switched on in the settings", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  const { sent } = await openScene(page, "schieber_play");
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("radio", { name: "With two taps" }).check();
  await page.keyboard.press("Escape");
  await page.reload();
  await ownCards(page).first().waitFor();
  await page
    .locator("#hand .open")
    .first()
    .click({ position: { x: 14, y: 14 } });
  await expect(page.locator("#hand .lifted")).toHaveCount(1);
  expect(sent).toEqual([]);
});
