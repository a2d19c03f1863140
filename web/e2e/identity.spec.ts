// Identity: continuing on another device, deleting the account, muting a name.
import type { Page } from "@playwright/test";
import type { CreatedTable, IssuedCode } from "../src/api/messages";
import { animationsDone, DESKTOP, expectAccessible, PHONE } from "./assertions";
import { chooseGame, expect, expectNoOverflow, playNow, test } from "./page-actions";

async function press(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole("button", { name, exact: typeof name === "string" }).click();
}

async function openYou(page: Page): Promise<void> {
  await press(page, "Settings");
  await press(page, "You and your devices");
}

/** Makes a table with Anna on the first seat, and opens it. */
async function openTable(page: Page): Promise<string> {
  const seats = ["me", "open", "bot:greedy"];
  const made = await page.request.post("/api/tables", {
    data: { game: "molotov", seats, name: "Anna", pause: 0 },
  });
  const path = `/t/${((await made.json()) as CreatedTable).table}`;
  await page.goto(path);
  return path;
}

const seat = (page: Page, number: number) => page.locator(`.lobby [data-seat="${number - 1}"]`);

test("a phone is linked by code or link, and can be removed", async ({ person }) => {
  const laptop = (await person({ nickname: "Anna" })).page;
  const { page: phone, consoleProblems } = await person({}, PHONE);
  const path = await openTable(laptop);
  await openYou(laptop);
  await press(laptop, "Show a code");
  const code = await laptop.locator("output.letters").innerText();
  expect(code).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/);

  // The link: the code disappears from the address and is used only after a confirmation.
  const asked: string[] = [];
  phone.on("request", (request) => asked.push(request.url()));
  await phone.goto(`/#device=${code}`);
  await expect(phone.getByLabel("Enter a code")).toHaveValue(code);
  expect(phone.url()).not.toContain("device");
  await press(phone, "Play on here");
  await expect(phone.getByText("Done: you play on here.", { exact: false })).toBeVisible();
  expect(asked.filter((url) => url.split("#")[0]?.includes(code))).toEqual([]);
  await Promise.all([phone.waitForEvent("load"), press(phone, "Go on")]);
  // The entry of the panel in the history is removed after the reload.
  await phone.waitForFunction(
    () => history.state === null || (history.state as { back?: string }).back !== "guard",
  );
  await phone.goto(path);
  await expect(seat(phone, 1).getByText("you")).toBeVisible();

  // A code works only once.
  await openYou(phone);
  await phone.getByLabel("Enter a code").fill(code.toLowerCase());
  await press(phone, "Play on here");
  await expect(phone.getByRole("alert")).toContainText("not valid");
  await expect(phone.getByLabel("Enter a code")).toBeFocused();
  // The browser itself logs every refused request.
  expect(consoleProblems.splice(0)).toEqual([expect.stringContaining("status of 400")]);

  // The laptop removes the phone, which no longer belongs to the seat's owner, with the code that it made.
  await press(phone, "Make a code");
  await expect(phone.locator("output.long")).toBeVisible();
  await laptop.reload();
  await openYou(laptop);
  await expect(laptop.getByText("A new one takes its place.", { exact: false })).toBeVisible();
  await press(laptop, /^Forget device/);
  await expect(
    laptop.getByText("the recovery code that it made no longer works", { exact: false }),
  ).toBeVisible();
  await expect(laptop.getByText("A new one takes its place.", { exact: false })).toBeHidden();
  await press(phone, "Close");
  await expect(seat(phone, 1).getByText("you")).toHaveCount(0);

  // Devices that it has added stay: the page says so while there are others.
  for (let added = 0; added < 2; added++) {
    const link = (await (await laptop.request.post("/api/identity/link")).json()) as IssuedCode;
    const { request } = (await person()).page;
    await request.post("/api/identity/take", { data: { code: link.code, give_up: false } });
  }
  await laptop.reload();
  await openYou(laptop);
  const forgetOther = laptop.getByRole("button", { name: /^Forget device/ });
  const others = laptop.getByText("Devices that it has added stay in the list", { exact: false });
  for (const left of [1, 0]) {
    await forgetOther.first().click();
    await expect(laptop.getByText("That device is forgotten.", { exact: false })).toBeVisible();
    await expect(forgetOther).toHaveCount(left);
    await expect(others).toHaveCount(left);
  }

  // Deleting the account explains the consequences, and deletes data that nobody else shares.
  await press(laptop, "Forget me everywhere");
  await expect(laptop.getByText("This cannot be undone.", { exact: false })).toBeVisible();
  await press(laptop, "Yes, forget");
  await laptop.waitForURL("/");
  await expect
    .poll(async () => (await laptop.request.get(`/api/tables/${path.slice(3)}`)).status())
    .toBe(404);
});

test("a name can be hidden and reported", async ({ person }) => {
  const anna = (await person({ nickname: "Anna" })).page;
  const reto = (await person({ nickname: "Reto" }, PHONE)).page;
  await reto.goto(await openTable(anna));
  await press(reto, /Sit here: Seat 2/);
  await press(reto, "Settings");
  await press(reto, "Report the name of Anna");
  await expect(reto.getByText("Noted in the server’s log.", { exact: false })).toBeVisible();
  await expectNoOverflow(reto);
  await expectAccessible(reto);
  await press(reto, "Hide name: Anna");
  await press(reto, "Close");
  await expect(seat(reto, 1).locator("strong")).toContainText("Seat 1");
  await reto.reload();
  await expect(seat(reto, 1).locator("strong")).toContainText("Seat 1");
  await expect(seat(anna, 2).locator("strong")).toHaveText("Reto");
  await press(reto, "Settings");
  await press(reto, "Show name: Seat 1");
  await press(reto, "Close");
  await expect(seat(reto, 1).locator("strong")).toContainText("Anna");
});

const LOOKS = [
  { size: PHONE, theme: "light", locale: "de" },
  { size: PHONE, theme: "dark", locale: "fr" },
  { size: DESKTOP, theme: "dark", locale: "it" },
  { size: DESKTOP, theme: "light", locale: "en" },
] as const;

for (const { size, theme, locale } of LOOKS) {
  test(`the account panel fits at ${size.width}×${size.height}, ${theme}, ${locale}`, async ({ person }) => {
    const { page } = await person({ locale, theme }, size);
    const panel = page.locator("dialog[open]");
    const look = async (name: string): Promise<void> => {
      await animationsDone(page);
      await expectNoOverflow(page);
      expect(await panel.evaluate((box) => box.scrollWidth - box.clientWidth)).toBeLessThanOrEqual(1);
      const folder = process.env.PICTURES;
      if (folder) await page.screenshot({ path: `${folder}/you-${locale}-${name}.png` });
    };
    await openTable(page);
    await page.locator("header nav button").nth(-2).click();
    await look("settings");
    await panel.locator("button.you").click();
    await panel.locator("li").first().waitFor();
    await look("begin");
    await panel.locator("section .button").first().click();
    await panel.locator("svg[role=img]").waitFor();
    await panel.locator("section .button:not(.quiet)").last().click();
    await panel.locator("output.long").waitFor();
    await look("codes");
    await expectAccessible(page);
    await panel.locator("output.long").scrollIntoViewIfNeeded();
    await panel.evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await look("below");
    await panel.locator(".forget button").last().click();
    await look("confirm");
  });

  test(`the last question fits at ${size.width}×${size.height}, ${theme}, ${locale}`, async ({ person }) => {
    const { page, consoleProblems } = await person({ locale, theme }, size);
    await openTable(page);
    await page.locator("header nav button").nth(-2).click();
    const panel = page.locator("dialog[open]");
    await panel.locator("button.you").click();
    await panel.locator(".forget button").first().click();
    await panel.locator(".confirm .primary").click();
    for (const name of ["last-device", "recovery"]) {
      await panel.locator(`.confirm ${name === "recovery" ? "output" : "p[role=alert]"}`).waitFor();
      await animationsDone(page);
      await expectNoOverflow(page);
      await expectAccessible(page);
      expect(await panel.evaluate((box) => box.scrollWidth - box.clientWidth)).toBeLessThanOrEqual(1);
      const folder = process.env.PICTURES;
      if (folder) await page.screenshot({ path: `${folder}/you-${size.width}-${locale}-${name}.png` });
      await panel.locator(".confirm .primary").click();
    }
    await page.waitForURL("/");
    // The browser itself logs every refused request.
    expect(consoleProblems.splice(0)).toEqual([expect.stringContaining("status of 409")]);
  });
}

test("leaving the last device is asked about, and a recovery code leads back", async ({ person }) => {
  const { page: anna, consoleProblems: annas } = await person({ nickname: "Anna" });
  const { page: reto, consoleProblems: retosProblems } = await person({ nickname: "Reto" }, PHONE);
  const path = await openTable(anna);
  const retos = await openTable(reto);
  await openYou(anna);
  await press(anna, "Show a code");
  const code = await anna.locator("output.letters").innerText();

  // Cancelled, nothing has happened, and the code is still valid.
  await openYou(reto);
  const take = async (): Promise<void> => {
    await reto.getByLabel("Enter a code").fill(code);
    await press(reto, "Play on here");
    await expect(reto.getByRole("heading", { name: "This is your last device" })).toBeVisible();
  };
  await take();
  await expect(reto.getByText("in 7 days", { exact: false })).toBeVisible();
  await expectAccessible(reto);
  await press(reto, "Cancel");
  await take();
  await press(reto, "Make a code");
  const recovery = await reto.locator("output.long").innerText();
  await press(reto, "Go on");
  await expect(reto.getByText("Done: you play on here.", { exact: false })).toBeVisible();
  await Promise.all([reto.waitForEvent("load"), press(reto, "Go on")]);
  await reto.waitForFunction(
    () => history.state === null || (history.state as { back?: string }).back !== "guard",
  );
  await reto.goto(path);
  await expect(seat(reto, 1).getByText("you")).toBeVisible();

  // The code leads back. Who then forgets the device without another one is asked as well.
  await openYou(reto);
  await reto.getByLabel("Enter a code").fill(recovery);
  await press(reto, "Play on here");
  await Promise.all([reto.waitForEvent("load"), press(reto, "Go on")]);
  await reto.waitForFunction(
    () => history.state === null || (history.state as { back?: string }).back !== "guard",
  );
  await reto.goto(retos);
  await expect(seat(reto, 1).getByText("you")).toBeVisible();

  await press(anna, "Forget this device");
  await press(anna, "Yes, forget");
  await expect(anna.getByRole("heading", { name: "This is your last device" })).toBeVisible();
  await Promise.all([anna.waitForURL("/"), press(anna, "Go on all the same")]);
  await anna.goto(path);
  await expect(anna.locator(".lobby")).toBeVisible();
  await expect(seat(anna, 1).getByText("you")).toHaveCount(0);
  // The browser itself logs every refused request.
  const refusal: unknown = expect.stringContaining("status of 409");
  expect([annas.splice(0), retosProblems.splice(0)]).toEqual([[refusal], [refusal, refusal]]);
});

test("a tap counts while the result of the previous one is loading", async ({ person }) => {
  const { page } = await person({ locale: "de" }, PHONE);
  const panel = page.locator("dialog[open]");
  await openTable(page);
  await page.locator("header nav button").nth(-2).click();
  await panel.locator("button.you").click();
  await panel.locator("li").first().waitFor();
  let fetched = (): void => {};
  const held = new Promise<void>((done) => (fetched = done));
  await page.route("**/api/identity", async (route) => {
    if (route.request().method() === "GET") await held;
    await route.continue();
  });
  await panel.locator("section .button").first().click();
  await panel.locator("svg[role=img]").waitFor();
  await panel.locator("section .button:not(.quiet)").last().click();
  await panel.locator("output.long").waitFor();
  fetched();
});

test("a browser that keeps no cookies is told that it can only watch", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  // Every answer sets its cookie, and the browser forgets it at once.
  await page.route("**/api/**", async (route) => {
    const response = await route.fetch();
    await page.context().clearCookies();
    const { "set-cookie": _, ...headers } = response.headers();
    await route.fulfill({ response, headers });
  });
  await chooseGame(page, "Molotov Jass");
  await playNow(page);
  const told = page.getByRole("alert").filter({ hasText: "keeps no cookies" });
  await expect(told).toBeVisible();
  await expect(told.getByRole("button", { name: "Reload" })).toBeVisible();
});
