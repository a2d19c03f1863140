// Verifiable deals: checked by the page at the end of a match, and by the terminal.
import type { Locator, Page } from "@playwright/test";
import { python } from "../scripts/python.mjs";
import type { CreatedTable, RoomInfo } from "../src/api/messages";
import { expectFitsAndAccessible, PHONE } from "./assertions";
import { fastForward } from "./fast-forward";
import {
  nextDecision,
  chooseGame,
  expect,
  waitGone,
  openLobby,
  playNow,
  playUntil,
  setNumber,
  test,
} from "./page-actions";

/** The terminal's verdict on the record that the page offers for download. */
async function verified(page: Page, ...options: string[]): Promise<string> {
  const wanted = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download the record" }).click();
  return python("-m", "jasstisch", "verify", await (await wanted).path(), ...options);
}

/** What the server has committed itself to, copied from the panel of the rules. */
async function copiedCommitment(page: Page): Promise<string> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Rules", exact: true }).click();
  const shown = page.getByRole("complementary", { name: "What the server committed itself to" });
  await shown.getByRole("button", { name: "Copy all 64 digits" }).click();
  await expect(page.getByText("Copied", { exact: true }).first()).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  await expect(shown.locator("code")).toHaveText(shortened(copied));
  await expectFitsAndAccessible(page);
  await page.keyboard.press("Escape");
  return copied;
}

/** The short form of a commitment. */
const shortened = (digits: string): string => `${digits.slice(0, 16).replace(/(.{4})/g, "$1 ")}…`;

/** The page contributes to no packs in rounds that are fast-forwarded, and does not vouch for them. */
const VERDICT = "The proof of the deals holds";

/** What is said of a match whose record does not come. */
const NOTHING_PROVES = "Nothing proves the deals of this match";

/** Expects the page to show that the deals hold, and that it contributed to some of them. */
async function expectVerified(page: Page): Promise<void> {
  const deals = page.getByRole("region", { name: VERDICT });
  await expect(deals).toBeVisible();
  await deals.locator("summary").click();
  const own = deals.locator("dl").first().locator("dd").last();
  await expect(own).toHaveText(/^[1-9]\d* of \d+$/);
  await expect(deals).toContainText(/Packs decided [^:]+: \d+/);
}

test("page and terminal verify the deals of a match with three computers", async ({ person }) => {
  const { page, consoleProblems } = await person({ nickname: "Anna" }, PHONE);
  const sent: string[] = [];
  page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => sent.push(String(payload))));
  await chooseGame(page, "Differenzler");
  await setNumber(page, "Rounds", 4);
  await playNow(page);
  await nextDecision(page);
  // The page contributes to the first packs too, although the match began before it was connected.
  const opened = sent
    .filter((text) => text.includes('"type":"open"'))
    .map((text) => /"pack":(\d+)/.exec(text)?.[1]);
  expect(opened).toEqual(["1", "2", "3"]);
  const commitment = await copiedCommitment(page);
  await fastForward([page], { rounds: 3 });
  await playUntil(page);
  await expectVerified(page);
  await expect(page.getByRole("region", { name: VERDICT }).locator("code")).toHaveText(shortened(commitment));
  await expectFitsAndAccessible(page);
  expect(await verified(page, "--commitment", commitment)).toContain(`${VERDICT}.`);

  // Without a record there is no verdict.
  await page.route("**/record", (route) => route.fulfill({ status: 503 }));
  await page.reload();
  await expect(page.getByRole("region", { name: NOTHING_PROVES })).toContainText(
    "the server does not answer",
  );
  await expectFitsAndAccessible(page);
  expect(consoleProblems.splice(0)).toEqual([expect.stringContaining("status of 503")]);
  await page.unroute("**/record");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("region", { name: VERDICT })).toBeVisible();

  // The proof holds in a record of another play, which the page has not seen.
  await page.route("**/record", async (route) => {
    const record = (await (await route.fetch()).json()) as { log: [number, string][] };
    const last = record.log.at(-1);
    if (last) last[1] = record.log.at(-2)?.[1] ?? "";
    await route.fulfill({ json: record });
  });
  await page.reload();
  const alert = page.getByRole("region", { name: "Deals found wrong" }).getByRole("alert");
  await expect(alert).toContainText("of another match than the one this device has seen");
  await expectFitsAndAccessible(page);
});

test("every page and the terminal verify the deals of a match of four people", async ({ person }) => {
  test.setTimeout(180_000);
  const people = await Promise.all(
    ["Anna", "Reto", "Cla", "Dora"].map(async (nickname) => (await person({ nickname })).page),
  );
  const [anna, ...others] = people as [Page, ...Page[]];
  await chooseGame(anna, "Differenzler");
  await setNumber(anna, "Rounds", 4);
  await openLobby(anna);
  await anna.locator("summary", { hasText: "What the server committed itself to" }).click();
  const announced = await anna.locator(".lobby code").innerText();
  await expectFitsAndAccessible(anna);
  const link = await anna.getByRole("textbox", { name: "Link" }).inputValue();
  for (const [place, page] of others.entries()) {
    await page.goto(link);
    await page.getByRole("button", { name: `Sit here: Seat ${place + 2}` }).click();
    await waitGone(anna, `.lobby [data-seat="${place + 1}"] .open`);
  }
  await anna.getByRole("button", { name: "Start the match" }).click();
  await Promise.all(people.map((page) => nextDecision(page)));
  await fastForward(people, { rounds: 3 });
  await Promise.all(people.map((page) => playUntil(page)));
  for (const page of people) await expectVerified(page);
  await expect(anna.getByRole("region", { name: VERDICT }).locator("code")).toHaveText(announced);
  expect(await verified(anna)).toContain(`${VERDICT}.`);
});

test("the deals of a match that the host closes in the middle are judged as far as it went", async ({
  person,
}) => {
  const { page } = await person({ nickname: "Anna" }, PHONE);
  await chooseGame(page, "Differenzler");
  await playNow(page);
  await nextDecision(page);
  for (const name of ["Manage the table", "Close the table", "Close it for good"]) {
    await page.getByRole("button", { name }).click();
  }
  await expect(page.getByRole("heading", { name: "This table has been closed" })).toBeVisible();
  const deals = page.getByRole("region", { name: "Deals verified" });
  await deals.locator("summary").click();
  // The draw for the dealer, the deal and the draw of trump; none was decided without this device.
  await expect(deals.locator("dl").first().locator("dd").last()).toHaveText("3 of 3");
  await expectFitsAndAccessible(page);
});

const LIES: [string, boolean, (room: object) => object][] = [
  ["speaks of the deals no more", false, (room) => ({ ...room, fair: null })],
  ["begins with a state of another form", true, (room) => ({ ...room, fair: {} })],
];

for (const [what, atFirst, changed] of LIES) {
  test(`a server that ${what} is told at once, and after a reload`, async ({ person }) => {
    const { page } = await person({ nickname: "Anna" }, PHONE);
    const seats = ["me", "bot:greedy", "bot:greedy", "bot:greedy"];
    const data = { game: "differenzler", seats, name: "Anna", pause: 0, start: true };
    const made = await page.request.post("/api/tables", { data });
    let lies = atFirst;
    await page.routeWebSocket(/\/ws$/, (route) => {
      const server = route.connectToServer();
      route.onMessage((text) => server.send(text));
      server.onMessage((text) => {
        const message = JSON.parse(String(text)) as { room?: object };
        if (lies && message.room) message.room = changed(message.room);
        route.send(JSON.stringify(message));
      });
    });
    const told = page.getByRole("alert").filter({ hasText: "The server has not kept to what it had told" });
    await page.goto(`/t/${((await made.json()) as CreatedTable).table}`);
    if (!atFirst) {
      await nextDecision(page);
      await expect(told).toHaveCount(0);
      lies = true;
      await page.reload();
    }
    await expect(told).toBeVisible();
    lies = false;
    await page.reload();
    await nextDecision(page);
    await expect(told).toBeVisible();
    await expectFitsAndAccessible(page);
  });
}

/** The contributions that a page has made at its table and keeps in its tab. */
const contributions = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const kept = Object.entries(sessionStorage).find(([key]) => key.startsWith("jasstisch.witness."))?.[1];
    const { latest } = JSON.parse(kept ?? "{}") as { latest?: { contributor: string } };
    const { held = [] } = JSON.parse(latest?.contributor ?? "{}") as { held?: [string, string[]][] };
    return held.flatMap(([, made]) => made);
  });

test("a duplicated tab makes contributions of its own, and a reloaded one keeps those it had", async ({
  person,
}) => {
  const { page } = await person({ nickname: "Anna" }, PHONE);
  await chooseGame(page, "Molotov");
  await playNow(page);
  await nextDecision(page);
  const made = await contributions(page);
  expect(made.length).toBeGreaterThan(0);

  // Like a duplicated tab, a window that a page opens begins with a copy of the storage of its tab.
  const opened = page.waitForEvent("popup");
  await page.evaluate(() => void window.open(location.href));
  const copy = await opened;
  await nextDecision(copy);
  const others = await contributions(copy);
  expect(others.filter((one) => made.includes(one))).toEqual([]);

  for (const [tab, before] of [
    [page, made],
    [copy, others],
  ] as const) {
    await tab.reload();
    await nextDecision(tab);
    expect(await contributions(tab)).toEqual(expect.arrayContaining(before));
  }
});

test("a match whose record does not come is named once the next one has begun", async ({ person }) => {
  const { page, consoleProblems } = await person({ nickname: "Anna" }, PHONE);
  const seats = ["me", "bot:greedy", "bot:greedy", "bot:greedy"];
  const options = { target: 1 };
  const data = { game: "molotov", options, seats, name: "Anna", pause: 0, start: true };
  const made = await page.request.post("/api/tables", { data });
  await page.route("**/matches/1/record", (route) => route.fulfill({ status: 404 }));
  await page.goto(`/t/${((await made.json()) as CreatedTable).table}`);
  await playUntil(page);
  await page.locator(".end .actions button.primary").click();
  await nextDecision(page);
  const told = page
    .getByRole("alert")
    .filter({ hasText: "announced proof of the deals was not given out: 1" });
  await expect(told).toBeVisible({ timeout: 30_000 });
  await expectFitsAndAccessible(page);

  // It is proven by another record no more than by none.
  let asked = 0;
  await page.route("**/matches/1/record", async (route) => {
    const record = (await (await route.fetch()).json()) as object;
    asked += 1;
    await route.fulfill({ json: { ...record, fair: undefined } });
  });
  await page.reload();
  const wrong = page.getByRole("alert").filter({ hasText: "deals were found wrong: 1" });
  await expect(wrong).toBeVisible();
  expect(asked).toBe(1);

  await page.unroute("**/matches/1/record");
  await page.reload();
  await nextDecision(page);
  await expect(told).toHaveCount(0);
  await expect(wrong).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => JSON.stringify(sessionStorage))).toContain('\\"replaced\\":[]');
  expect(new Set(consoleProblems.splice(0))).toEqual(new Set([expect.stringContaining("status of 404")]));
});

interface Told {
  type: string;
  table?: string | undefined;
  seq?: number | null;
  room?: Partial<RoomInfo>;
}

/** A server that lies to the page from a moment on: `lie` changes a message, or answers in its place. */
class LyingServer {
  lie: ((message: Told) => Told) | null = null;
  #send: (text: string) => void = () => undefined;

  async between(page: Page): Promise<void> {
    await page.routeWebSocket(/\/ws$/, (route) => {
      const server = route.connectToServer();
      this.#send = (text) => server.send(text);
      route.onMessage((text) => server.send(text));
      server.onMessage((text) => {
        const message = JSON.parse(String(text)) as Told;
        const told = this.lie?.(message) ?? message;
        route.send(JSON.stringify(told));
        if (message.type === "welcome" && told !== message) void route.close();
      });
    });
  }

  /** Asks for something that everybody at the table is told. */
  askForNews(table: string): void {
    this.#send(JSON.stringify({ type: "say", seq: 9_999, table, phrase: "hello" }));
  }
}

const UNKNOWN = { type: "error", code: "unknown_table", message: "there is no such table" };
const room = (change: object) => (message: Told) =>
  message.room ? { ...message, room: { ...message.room, ...change } } : message;
const refused =
  (error: object) =>
  (message: Told): Told => {
    const { type, table, seq = null } = message;
    const told = type === "event" || type === "snapshot" || type === "ack";
    return told ? { type: "error", ...error, seq, table } : message;
  };
const gone = refused(UNKNOWN);
const damaged = refused({ code: "damaged", message: "its log is damaged" });
const denied = (message: Told): Told =>
  message.type === "welcome"
    ? ({ type: "error", code: "banned", message: "spam", seq: null } as Told)
    : message;

for (const [how, heading] of [
  ["closed", "This table has been closed"],
  ["known no more", "The link has been renewed"],
  ["closed to a banned person", "You are kept out"],
] as const) {
  test(`a match at a table ${how} says what was wrong, or that nothing proves its deals`, async ({
    person,
  }) => {
    const { page, consoleProblems } = await person({ nickname: "Anna" }, PHONE);
    const seats = ["me", "bot:greedy", "bot:greedy", "bot:greedy"];
    const data = { game: "differenzler", seats, name: "Anna", pause: 0, start: true };
    const made = (await (await page.request.post("/api/tables", { data })).json()) as CreatedTable;
    const server = new LyingServer();
    await server.between(page);
    await page.route("**/record", (route) => route.fulfill({ status: 404, json: UNKNOWN }));
    await page.goto(`/t/${made.table}`);
    await nextDecision(page);
    const unproven = page.getByRole("region", { name: NOTHING_PROVES });
    const wrong = page.getByRole("region", { name: "Deals found wrong" });
    /** Expects something to be said as well where the table is refused for another reason. */
    const expectSaidOfDamagedTable = async (said: Locator): Promise<void> => {
      server.lie = damaged;
      await page.reload();
      await expect(page.getByRole("heading", { name: "This table cannot be shown" })).toBeVisible();
      await expect(page.getByText("This table is damaged on the server")).toBeVisible();
      await expect(said).toBeVisible();
    };

    if (how === "closed") server.lie = room({ phase: "closed", number: 0, resumed: 3, view: null });
    else server.lie = how === "known no more" ? gone : denied;
    if (how !== "known no more") await page.reload();
    else server.askForNews(made.table);
    await expect(page.getByRole("heading", { name: heading })).toBeVisible();
    await expect(unproven).toContainText("does not give out the record that holds it");
    await expectFitsAndAccessible(page);

    // It is said after a reload as well, and what was wrong before is, whatever comes then.
    await page.reload();
    await expect(unproven).toBeVisible();
    const lie = server.lie;
    if (how === "known no more") {
      await expectSaidOfDamagedTable(unproven);
      await expectFitsAndAccessible(page);
    }
    server.lie = room({ fair: null });
    await page.reload();
    await expect(
      page.getByRole("alert").filter({ hasText: "has not kept to what it had told" }),
    ).toBeVisible();
    server.lie = lie;
    await page.reload();
    await expect(wrong).toContainText("has not kept to what it had told");
    await expect(unproven).toHaveCount(0);
    await expectFitsAndAccessible(page);
    if (how === "known no more") await expectSaidOfDamagedTable(wrong);
    expect(new Set(consoleProblems.splice(0))).toEqual(new Set([expect.stringContaining("status of 404")]));
  });
}
