import { DESKTOP, expectFitsAndAccessible, PHONE } from "./assertions";
import { openScene } from "./scenes";
import { nextDecision, chooseGame, expect, ownCards, playNow, test } from "./page-actions";

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

  expect(await nextDecision(page)).toBe("bid");
  const field = page.getByRole("textbox", { name: /^Your bid/ });
  while (!(await field.evaluate((one) => one === document.activeElement))) await keys.press("Tab");
  await keys.type("28");
  await keys.press("Enter");
  await expect(page.locator('[data-own="bid"]')).toHaveText("28");

  for (;;) {
    const moment = await nextDecision(page);
    if (moment === "round") break;
    expect(moment).toBe("play");
    const count = await ownCards(page).count();
    await keys.press("1");
    await expect(ownCards(page).first()).toBeFocused();
    for (let step = 0; step < count; step++) {
      if ((await focused.getAttribute("aria-disabled")) === "false") break;
      await keys.press("ArrowRight");
    }
    await keys.press("Enter");
    await expect(ownCards(page)).toHaveCount(count - 1);
  }

  await expect(page.getByRole("heading", { name: "Round 1 is over" })).toBeFocused();
  await keys.press("Tab");
  await expect(focused).toHaveText("Next round");
  await keys.press("Enter");
  await expect(page.getByRole("heading", { name: "Round 1 is over" })).toHaveCount(0);
  expect(await nextDecision(page)).toBe("bid");
});

test("plays are announced to screen readers", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  await chooseGame(page, "Molotov Jass");
  await playNow(page);
  await nextDecision(page);
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

test("keyboard shortcuts are listed under ? and in the settings", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  const keys = page.keyboard;
  const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await page.goto("/");
  const nickname = page.getByRole("textbox", { name: "Nickname" });
  await nickname.press("End");
  await keys.type("?");
  await expect(nickname).toHaveValue("Anna?");
  await expect(list).toHaveCount(0);

  await page.getByRole("radio", { name: /^Differenzler/ }).press("?");
  await expect(list).toBeVisible();
  await keys.press("Escape");
  await expect(list).toBeHidden();

  await page.getByRole("button", { name: "Settings" }).press("Enter");
  const settings = page.getByRole("dialog", { name: "Settings" });
  await expect(settings).toBeVisible();
  await keys.press("?");
  await expect(list).toBeHidden();
  await settings.getByRole("button", { name: "Keyboard shortcuts" }).press("Enter");
  await expect(list).toBeVisible();
  await expect(settings).toBeHidden();
});

test("a key pressed right after a panel has closed reaches the hand", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  await openScene(page, "schieber_play");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  // Before the next frame the focus is still in the panel, although nobody sees it any more.
  await page.evaluate(() => {
    document.querySelector<HTMLDialogElement>("dialog[open]")?.close();
    document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: "2", bubbles: true }));
  });
  await expect(ownCards(page).nth(1)).toBeFocused();
});

test("the listed shortcuts are those that the hand supports", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  const stage = await openScene(page, "schieber_play");
  const keys = page.keyboard;
  await keys.press("?");
  const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  for (const text of ["to the first to tenth card", "to the first and the last card"]) {
    await expect(list.getByRole("definition").filter({ hasText: text })).toBeVisible();
  }
  await keys.press("2");
  await expect(page.locator("#hand :focus")).toHaveCount(0);
  await keys.press("Escape");
  await expect(list).toBeHidden();

  const cards = ownCards(page);
  await keys.press("2");
  await expect(cards.nth(1)).toBeFocused();
  await keys.press("ArrowRight");
  await expect(cards.nth(2)).toBeFocused();
  await keys.press("ArrowLeft");
  await expect(cards.nth(1)).toBeFocused();
  await keys.press("End");
  await expect(cards.last()).toBeFocused();
  await keys.press("Home");
  await expect(cards.first()).toBeFocused();
  await page
    .getByRole("button", { name: /, playable/ })
    .first()
    .focus();
  await keys.press("Space");
  await expect.poll(() => stage.sent.length).toBe(1);
});

test("an illegal card can be focused with the keyboard, and is explained", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  const stage = await openScene(page, "three_rob");
  await expect(ownCards(page).first()).toBeVisible();
  const names = await ownCards(page).evaluateAll((all) => all.map((card) => card.getAttribute("data-card")));
  await page.keyboard.press(String(names.indexOf("KS") + 1));
  await page.keyboard.press("Enter");
  await expect(page.locator(".why")).toContainText("you may follow or trump (hearts)");
  await expect(ownCards(page)).toHaveCount(names.length);
  expect(stage.sent).toEqual([]);
});

for (const [size, theme, locale] of [
  [PHONE, "dark", "de"],
  [DESKTOP, "light", "fr"],
] as const) {
  test(`the list of shortcuts fits ${size.width}×${size.height}, ${theme}`, async ({ person }) => {
    const { page } = await person({ nickname: "Anna", theme, locale }, size);
    await openScene(page, "schieber_play");
    await page.keyboard.press("?");
    await expect(page.locator("dialog[open] dl")).toHaveCount(4);
    await expectFitsAndAccessible(page);
  });
}

test("keys that work alone can be changed and turned off", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  await openScene(page, "schieber_play");
  const keys = page.keyboard;
  const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await keys.press("?");
  const help = list.getByRole("button", { name: /Change the key: this list/ });
  await help.press("Enter");
  await expect(help).toHaveText("Press the new key");
  await keys.press("r");
  await expect(list.getByRole("alert")).toContainText("still free");
  await keys.press("h");
  await expect(help).toHaveText("H");
  await expect(list.getByRole("alert")).toHaveCount(0);
  await keys.press("Escape");
  await keys.press("?");
  await expect(list).toBeHidden();
  await page.reload();
  await expect(ownCards(page).first()).toBeVisible();
  await keys.press("h");
  await expect(list).toBeVisible();
  const second = list.getByRole("button", { name: /tenth card \(2\)/ });
  await second.press("Enter");
  await keys.press("w");
  await expect(second).toHaveText("W");
  await keys.press("Escape");
  await expect(list).toBeHidden();
  await keys.press("2");
  await expect(page.locator("#hand button:nth-child(2):focus")).toHaveCount(0);
  await keys.press("w");
  await expect(ownCards(page).nth(1)).toBeFocused();
  await keys.press("h");
  await list.getByRole("button", { name: "Usual keys" }).click();
  await expect(help).toHaveText("?");
  await expect(second).toHaveText("2");

  await list.getByRole("switch", { name: "Keys without Ctrl" }).uncheck();
  await expect(help).toHaveCount(0);
  await keys.press("Escape");
  await expect(list).toBeHidden();
  await keys.press("?");
  await keys.press("3");
  await expect(list).toBeHidden();
  await expect(page.locator("#hand button:nth-child(3):focus")).toHaveCount(0);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Keyboard shortcuts" }).click();
  await expect(list).toBeVisible();
});

test("without the popover of newer browsers one can talk all the same", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  await page.addInitScript(() => {
    const prototype = HTMLElement.prototype as unknown as Record<string, unknown>;
    for (const name of ["popover", "showPopover", "hidePopover", "togglePopover"]) delete prototype[name];
    for (const name of ["popoverTargetElement", "popoverTargetAction"]) {
      delete (HTMLButtonElement.prototype as unknown as Record<string, unknown>)[name];
    }
    // The browser of the test still knows the attribute and the state, which an older one does not.
    const replace = (owner: object, name: string, denied: string, answer: () => void): void => {
      const native = Reflect.get(owner, name) as (...given: string[]) => unknown;
      Reflect.set(owner, name, function (this: unknown, ...given: string[]): unknown {
        return given[0]?.includes(denied) ? answer() : Reflect.apply(native, this, given);
      });
    };
    replace(Document.prototype, "querySelector", ":popover-open", () => {
      throw new SyntaxError(":popover-open");
    });
    replace(Element.prototype, "setAttribute", "popovertarget", () => undefined);
    document.addEventListener("DOMContentLoaded", () => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("[popover]:not([hidden]) { display: block; }");
      document.adoptedStyleSheets = [sheet];
    });
  });
  let load = (): void => undefined;
  const loaded = new Promise<void>((done) => (load = done));
  await page.route("**/popoverFallback-*.js", async (route) => {
    await loaded;
    await route.fallback();
  });
  const stage = await openScene(page, "schieber_play");
  const button = page.getByRole("button", { name: "Say something" });
  const panel = page.getByRole("group", { name: "Say something" });
  await expect(button).toBeVisible();
  await expect(panel).toBeHidden();
  // A press while its module is still loading is not lost.
  await button.press("Enter");
  load();
  await expect(panel.getByRole("button").first()).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(button).toBeFocused();
  await page.keyboard.press("Escape");

  await button.click();
  await expect(panel).toBeVisible();
  await page.mouse.click(5, 300);
  await expect(panel).toBeHidden();
  await button.click();
  await panel.getByRole("button").first().click();
  await expect(panel).toBeHidden();
  expect(stage.asked.map(({ type }) => type)).toContain("say");
});
