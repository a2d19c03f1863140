// The page in Firefox, by keyboard: everything else runs in Chromium.
import { Firefox, findFirefox } from "./firefox";
import { expect, test } from "./page-actions";

const path = findFirefox();

if (path === null) {
  process.stdout.write("No Firefox was found (firefox, firefox-esr): the page is not tried in it.\n");
} else {
  test("a bid, a card, a remark and a panel in Firefox", async ({ server }) => {
    const firefox = await Firefox.start(path);
    const is = (expression: string, value: unknown = true): Promise<void> =>
      expect.poll(() => firefox.evaluate(expression), expression).toBe(value);
    const there = (selector: string): Promise<void> => is(`!!document.querySelector('${selector}')`);
    const focus = (selector: string): Promise<unknown> =>
      firefox.evaluate(`document.querySelector('${selector}').focus()`);
    try {
      await firefox.open(server.url);
      await firefox.evaluate(
        `localStorage.setItem("jasstisch.settings", '{"locale":"en","speed":"brisk","nickname":"Anna"}')`,
      );
      await firefox.open(server.url);
      await there('input[value="differenzler"]');
      await firefox.evaluate(`document.querySelector('input[value="differenzler"]').click()`);
      await is(`document.querySelector('input[value="differenzler"]').checked`);
      await there("form[aria-busy=false] button.primary");
      await focus("form button.primary");
      await firefox.press("Enter");

      await is(`document.activeElement.name`, "bid");
      for (const key of ["2", "8", "Enter"]) await firefox.press(key);
      await is(`document.querySelector('[data-own="bid"]')?.textContent.trim()`, "28");

      await there("#hand button[aria-disabled=false]");
      const cards = Number(await firefox.evaluate(`document.querySelectorAll("#hand button").length`));
      await focus("#hand button[aria-disabled=false]");
      await firefox.press("Enter");
      await is(`document.querySelectorAll("#hand button").length < ${cards}`);

      await focus("button.speak");
      await firefox.press("Enter");
      await is(`document.activeElement.hasAttribute("data-phrase")`);
      await firefox.press("Escape");
      await is(`document.activeElement.matches("button.speak")`);
      await firefox.press("?");
      await there("dialog[open]");
      await firefox.press("Escape");
      await is(`document.querySelector("dialog[open]") === null`);
      await is(`document.activeElement.matches("button.speak")`);
      expect(firefox.problems).toEqual([]);
    } finally {
      await firefox.close();
    }
  });
}
