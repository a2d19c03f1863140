// The host's decisions, and what happens to players who run out of time or are absent.
import type { Page } from "@playwright/test";
import { encode } from "uqr";
import type { CreatedTable } from "../src/api/messages";
import { botNameAt } from "./bot-names";
import { boxOf, DESKTOP, expectAccessible, expectFitsAndAccessible, PHONE } from "./assertions";
import { openScene, type Circumstances } from "./scenes";
import { nextDecision, expect, expectNoOverflow, leaveMatch, ownCards, playCard, test } from "./page-actions";

async function press(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole("button", { name }).click();
}

async function makeTable(page: Page, table: object): Promise<string> {
  const made = await page.request.post("/api/tables", { data: { name: "Anna", pause: 0, ...table } });
  return ((await made.json()) as CreatedTable).table;
}

/** Opens the host's panel, performs an action there and closes it. */
async function manage(page: Page, does: (panel: ReturnType<Page["getByRole"]>) => Promise<void>) {
  await press(page, "Manage the table");
  const panel = page.getByRole("dialog", { name: "Manage the table" });
  await does(panel);
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
}

async function choose(page: Page, ...words: string[]): Promise<void> {
  await manage(page, async (panel) => {
    for (const word of words) await panel.locator("label", { hasText: word }).click();
  });
}

const seat = (page: Page, number: number) => page.locator(`.lobby [data-seat="${number - 1}"] .seat-name`);

test("the host admits people, locks, renews the link, reassigns seats and closes", async ({ person }) => {
  const anna = (await person({ nickname: "Anna" })).page;
  const reto = (await person({ nickname: "Reto" }, PHONE)).page;
  const lea = (await person({ nickname: "Lea" })).page;
  const seats = ["me", "open", "open", "open"];
  const table = await makeTable(anna, { game: "molotov", seats });
  const old = `/t/${table}`;
  await anna.goto(old);

  // Entry by request: asked and declined, asked again and let in.
  await choose(anna, "people I let in");
  await reto.goto(old);
  await expect(anna.getByTitle("watching: 1")).toBeVisible();
  await expect(reto.getByText("To sit here, ask the host.")).toBeVisible();
  await press(reto, "Ask for it: Seat 2");
  await expect(reto.getByText("You have asked for seat 2.")).toBeVisible();
  await expect(anna.getByText("Reto would like seat 2.")).toBeVisible();
  await expectFitsAndAccessible(anna);
  await expectFitsAndAccessible(reto);
  await press(anna, "Decline");
  await expect(reto.getByText("There is no seat for you here this time.")).toBeVisible();
  await press(reto, "Ask for it: Seat 2");
  await press(anna, "Let in");
  await expect(seat(reto, 2)).toHaveText("Reto");
  await expect(reto.getByText("Anna starts the match.")).toBeVisible();
  await expect(reto.getByRole("button", { name: "Start the match" })).toHaveCount(0);

  // Locked.
  await choose(anna, "nobody else");
  const locked = "The host lets nobody else take a seat.";
  await expect(reto.locator(".toast", { hasText: locked })).toBeVisible();
  await lea.goto(old);
  await expect(lea.getByRole("heading", { name: "You are watching." })).toBeVisible();
  await expect(lea.getByRole("button", { name: /^(Sit|Ask)/ })).toHaveCount(0);

  // A new link: the old one now only admits people who have sat here.
  const asked: string[] = [];
  lea.on("request", (request) => asked.push(request.url() + request.headers().referer));
  await manage(anna, async (panel) => {
    await panel.getByRole("button", { name: "Renew the link" }).click();
    // Reported inside the panel, because the page behind it is inert.
    await expect(panel.getByText("The table has a new link")).toBeVisible();
  });
  await expect(lea.getByRole("heading", { name: "The link has been renewed" })).toBeVisible();
  await expect(reto.locator(".toast", { hasText: "The table has a new link" })).toBeVisible();
  const link = await anna.getByRole("textbox", { name: "Link" }).inputValue();
  expect(link).toContain(`${old}?lang=en#k=`);
  for (const page of [anna, reto]) expect(page.url()).toBe(link.replace("?lang=en", ""));
  await lea.goto("/");
  await lea.goto(old);
  await expect(lea.getByRole("heading", { name: "This table does not exist" })).toBeVisible();
  await lea.goto(link);
  await expect(seat(lea, 2)).toHaveText("Reto");
  await lea.reload();
  await expect(seat(lea, 2)).toHaveText("Reto");
  expect(asked.filter((one) => one.includes(link.split("#k=")[1] ?? ""))).toEqual([]);
  await reto.goto("/");
  await reto.goto(old);
  await expect(reto.getByRole("button", { name: "Stand up" })).toBeVisible();

  // A seat taken away, given to a computer, and opened.
  await manage(anna, async (panel) => {
    await panel.getByRole("button", { name: "Take the seat away: Reto" }).click();
    await panel.getByRole("button", { name: "Give it to a computer: Seat 2" }).click();
    await panel.getByRole("button", { name: `Open the seat: ${botNameAt(table, 1)}` }).waitFor();
  });
  await expect(reto.getByText("The host has taken your seat away.")).toBeVisible();
  const removed = "The host has taken the seat of Reto away.";
  await expect(lea.locator(".toast", { hasText: removed })).toBeVisible();
  await expect(seat(lea, 2)).toHaveText(botNameAt(table, 1));

  // When the host leaves, the next person becomes the host, starts a match and closes the table.
  await choose(anna, "with the link");
  await press(lea, "Sit here: Seat 3");
  await press(anna, "Stand up");
  await expect(lea.locator(".toast", { hasText: "You are now the host." })).toBeVisible();
  await expect(anna.getByText("Lea starts the match.")).toBeVisible();
  await press(lea, "Start the match");
  await nextDecision(lea);
  await press(lea, "Manage the table");
  await expect(lea.getByText("Seats are given and taken away before the match")).toBeVisible();
  await press(lea, "Close the table");
  await press(lea, "Close it for good");
  for (const page of [anna, reto, lea]) {
    await expect(page.getByRole("heading", { name: "This table has been closed" })).toBeVisible();
  }
  await reto.getByRole("link", { name: "Back to the start page" }).last().click();
  await expect(reto.getByRole("heading", { name: "Choose a game" })).toBeVisible();
});

test("strangers find a public table on the start page", async ({ person }) => {
  const anna = (await person({ nickname: "Anna" })).page;
  const reto = (await person({ nickname: "Reto" }, PHONE)).page;
  const { page: lea, consoleProblems } = await person({ nickname: "Lea" });
  const table = await makeTable(anna, { game: "molotov", seats: ["me", "open", "bot:greedy"] });
  const free = reto.getByRole("region", { name: "Seats are free here" });
  await reto.goto("/");
  await expect(reto.locator(".tile").first()).toBeVisible();
  await expect(free).toHaveCount(0);
  await anna.goto(`/t/${table}`);
  await choose(anna, "everybody, on the start page");
  await expect(anna.getByText("This table stands on the start page")).toBeVisible();

  await expect(async () => {
    await reto.reload();
    await expect(free).toBeVisible({ timeout: 3_000 });
  }).toPass();
  // Where somebody waits stands before the games.
  const [place, games] = await Promise.all([boxOf(free), boxOf(reto.locator(".games"))]);
  expect(place.y).toBeLessThan(games.y);
  const waiting = free.getByRole("link", { name: /Sit down.*Anna/ });
  await expect(waiting).toContainText("free seats: 1");
  await expectFitsAndAccessible(reto);
  await waiting.click();
  await press(reto, "Sit here: Seat 2");
  await expect(seat(anna, 2)).toHaveText("Reto");

  await press(anna, "Start the match");
  await expect(ownCards(anna).first()).toBeVisible();
  await expect(async () => {
    await lea.goto("/");
    await lea.locator("summary", { hasText: "Being played now" }).click({ timeout: 3_000 });
    await lea.getByRole("link", { name: /Watch.*Anna, Reto/ }).click({ timeout: 3_000 });
  }).toPass();
  await expect(anna.getByTitle("watching: 1")).toBeVisible();
  await press(anna, "Manage the table");
  await anna.locator("label", { hasText: "who has the link" }).click();
  const listed = async () => (await anna.request.get("/api/tables")).json();
  await expect.poll(listed).toEqual({ waiting: [], running: [] });
  // Without the link nobody watches on, or gets the record of the match that they have seen.
  await expect(lea.getByRole("region", { name: "Nothing proves the deals" })).toBeVisible();
  expect(new Set(consoleProblems.splice(0))).toEqual(new Set([expect.stringContaining("status of 404")]));
});

test("a person who left a match can return to their seat at a locked table", async ({ person }) => {
  const anna = (await person({ nickname: "Anna" })).page;
  const reto = (await person({ nickname: "Reto" }, PHONE)).page;
  const lea = (await person({ nickname: "Lea" })).page;
  const path = `/t/${await makeTable(anna, { game: "molotov", seats: ["me", "open", "bot:greedy"] })}`;
  await anna.goto(path);
  await reto.goto(path);
  await press(reto, "Sit here: Seat 2");
  await expect(seat(anna, 2)).toHaveText("Reto");
  await press(anna, "Start the match");
  await expect(ownCards(anna).first()).toBeVisible();
  await choose(anna, "nobody else");
  await leaveMatch(reto);
  await reto.goto(path);
  await lea.goto(path);
  await press(reto, "Back to my seat");
  await expect(ownCards(reto).first()).toBeVisible();
  await expect(lea.getByText("You are watching.")).toBeVisible();
  await expect(lea.getByRole("button", { name: /^(Take this seat|Ask)/ })).toHaveCount(0);
});

test("after a timeout a bot takes over, and the person resumes at the next trick", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  const seats = ["me", "bot:greedy", "bot:greedy"];
  // The shortest thinking time, doubled for the first card. The bots' pause leaves time to answer.
  const times = { thinking_time: 5, pause: 800 };
  const table = await makeTable(page, { game: "molotov", seats, start: true, ...times });
  await page.goto(`/t/${table}`);
  await nextDecision(page);
  await expect(page.locator(".countdown")).toBeVisible();
  const before = await ownCards(page).count();
  await expect(page.getByText("The computer plays for you.")).toBeVisible();
  await press(page, "Take over again");
  await expect(page.locator("[data-away]")).toHaveCount(0);
  await nextDecision(page);
  expect(await ownCards(page).count()).toBeLessThan(before);
  await playCard(page);
});

test("an absent person can be substituted, and everyone sees who requested it", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" }, PHONE);
  const stage = await openScene(page, "schieber_slalom", undefined, {
    missing: [1],
    spectators: 2,
    room: { host: 3 },
  });
  await page.locator("#hand button").first().focus();
  const focused = await page.evaluate(() => document.activeElement?.getAttribute("data-card"));
  await press(page, "Let the computer play for Reto");
  expect(stage.asked).toMatchObject([{ type: "cover", seat: 1 }]);
  expect(focused).not.toBeNull();
  const seats = ["Anna", "Reto", "Lea", "Urs"].map((name, one) => ({
    kind: "person" as const,
    name,
    bot: null,
    left: false,
    away: one === 1,
    ready: false,
    asks: null,
  }));
  stage.tell({ kind: "away", seat: 1, other: 2 }, { seats });
  await expect(page.locator(".toast")).toContainText("Lea lets the computer play for Reto.");
  await expect(page.locator("[data-missing]")).toHaveCount(0);
  await expect(page.locator('.plate[data-seat="1"]')).toContainText("the computer plays");
  await expect(page.getByTitle("watching: 2")).toBeVisible();
});

test("who has lost the connection for long can be substituted, without a reload of the page", async ({
  person,
}) => {
  const anna = (await person({ nickname: "Anna" })).page;
  const reto = (await person({ nickname: "Reto" })).page;
  const seats = ["me", "open", "bot:greedy", "bot:greedy"];
  const table = await makeTable(anna, {
    game: "molotow",
    seats,
    options: { dealer: 0 },
    thinking_time: "unlimited",
  });
  await anna.goto(`/t/${table}`);
  await reto.goto(`/t/${table}`);
  await press(reto, "Sit here: Seat 2");
  await expect(seat(anna, 2)).toHaveText("Reto");
  await press(anna, "Start the match");
  await expect(ownCards(anna).first()).toBeVisible();
  // Nobody limits the time of a turn, so all others wait for Reto, who leads.
  await reto.close();
  const offer = anna.getByText("Reto has not been here for a while.");
  await expect(offer).toHaveCount(0);
  await expect(offer).toBeVisible({ timeout: 60_000 });
  await press(anna, "Let the computer play for Reto");
  await nextDecision(anna);
  await expect(offer).toHaveCount(0);
});

test.describe("with the pace of a real table", () => {
  test.use({ pace: "lifelike" });

  test("the end of one's time is announced above an open panel", async ({ person }) => {
    const { page } = await person({ nickname: "Anna" }, PHONE);
    const seats = ["me", "bot:greedy", "bot:greedy", "bot:greedy"];
    const game = { game: "molotow", seats, start: true, options: { dealer: 3 } };
    const table = await makeTable(page, { ...game, thinking_time: 10 });
    await page.goto(`/t/${table}`);
    await nextDecision(page);
    await press(page, "Rules");
    const panel = page.getByRole("dialog");
    await expect(panel).toBeVisible();
    const warning = panel.getByText("10 seconds left for your turn");
    await expect(warning).toBeVisible({ timeout: 30_000 });
    await expect(warning).toBeInViewport({ ratio: 1 });
  });
});

test("after three timeouts a person is told that they resume in the next round", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  const away = { away: true, lapses: 3 };
  const stage = await openScene(page, "schieber_slalom", undefined, {
    seats: { 0: away, 1: { away: true, returning: true, lapses: 1 } },
  });
  await expect(page.getByRole("alert")).toContainText("until the end of the round");
  await expect(page.locator('.plate[data-seat="1"]')).toContainText("turns missed: 1");
  await press(page, "Take over again");
  expect(stage.asked).toMatchObject([{ type: "back" }]);
  await openScene(page, "schieber_slalom", undefined, { seats: { 0: { ...away, returning: true } } });
  await expect(page.getByText("so you play again from the next round")).toBeVisible();
  await openScene(page, "schieber_slalom", undefined, {
    seats: { 0: { ...away, lapses: 1, returning: true } },
  });
  await expect(page.getByText("You play again from the next trick.")).toBeVisible();
});

test("a bot client is marked at its seat, in the host panel and in its join request", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  await openScene(page, "schieber_slalom", undefined, {
    room: { requests: [{ number: 1, seat: 2, name: "low", program: true }] },
    seats: { 1: { program: true } },
  });
  const plate = (seat: number) => page.locator(`.plate[data-seat="${seat}"]`);
  await expect(plate(1)).toContainText("(program)");
  await expect(plate(1).getByTitle("program")).toBeVisible();
  await expect(plate(2)).not.toContainText("program");
  await expect(page.getByText("low (program) would like seat 3.").first()).toBeVisible();
  await press(page, "Manage the table");
  await expect(page.getByRole("dialog").locator("li", { hasText: "Reto" })).toContainText("(program)");
});

const BUSY: Circumstances = {
  room: {
    thinking_time: 60,
    match_time: 600,
    used: [10, 20, 599, 0],
    requests: [1, 2].map((number) => ({ number, seat: 2, name: "Hans-Ueli Zurbriggen" })),
  },
  seats: { 1: { away: true, lapses: 2, program: true }, 2: { patient: true } },
  missing: [3],
  spectators: 12,
};

for (const { size, theme, locale } of [
  { size: PHONE, theme: "light", locale: "de" },
  { size: PHONE, theme: "dark", locale: "it" },
  { size: DESKTOP, theme: "dark", locale: "fr" },
  { size: DESKTOP, theme: "light", locale: "en" },
] as const) {
  test(`questions to the host cover no card at ${size.width}×${size.height}, ${locale}`, async ({
    person,
  }) => {
    const { page } = await person({ nickname: "Anna", locale, theme }, size);
    const stage = await openScene(page, "schieber_slalom", undefined, BUSY);
    await expectFitsAndAccessible(page);
    for (const box of await ownCards(page).all()) {
      const { y, height } = (await box.boundingBox()) ?? { y: 0, height: Infinity };
      expect(y + height).toBeLessThanOrEqual(size.height);
    }
    const turn = await page.locator(".own .turn").boundingBox();
    expect(turn?.height).toBeLessThanOrEqual(60);
    await page.locator("header nav button").nth(1).click();
    await expectNoOverflow(page);
    await expectAccessible(page, "dialog[open]");
    await page.locator("dialog[open] [data-request] button").first().click();
    expect(stage.asked).toMatchObject([{ type: "let_in", number: 1, accept: true }]);
  });
}

/** The dark squares that a QR code of this text shows. */
function drawn(text: string): string {
  const { data } = encode(text, { ecc: "M", border: 3 });
  return data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
}

test("the link of a table is shown as a large QR code in the lobby and in the host panel", async ({
  person,
}) => {
  for (const size of [PHONE, DESKTOP]) {
    const { page } = await person({ nickname: "Anna" }, size);
    const table = await makeTable(page, { game: "molotow", seats: ["me", "open", "open", "open"] });
    await page.goto(`/t/${table}`);
    const expectCode = async (part: ReturnType<Page["locator"]>) => {
      await part.getByRole("button", { name: "QR code" }).click();
      const code = part.getByRole("img", { name: "QR code: the link to this table" });
      await expect(code.locator("path")).toHaveAttribute(
        "d",
        drawn(await part.getByLabel("Link", { exact: true }).inputValue()),
      );
      const { width, height } = await boxOf(code);
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(280);
      await expectFitsAndAccessible(page);
      await part.getByRole("button", { name: "QR code" }).click();
      await expect(code).toHaveCount(0);
    };
    await expectCode(page.locator(".lobby .share"));
    await press(page, "Manage the table");
    await expectCode(page.getByRole("dialog", { name: "Manage the table" }).locator(".share"));
  }
});
