// The link to a table: it is followed, and what its game needs is fetched, before any script has come.
import type { Page } from "@playwright/test";
import type { ClientMessage, CreatedTable } from "../src/api/messages";
import { PHONE } from "./assertions";
import { expect, ownCards, test, type Person } from "./page-actions";

const SCRIPTS = /\/assets\/(page|table)-[^/]*\.js$/;

/** A running table against bots, made in the browser of that page. */
async function makeTable(page: Page): Promise<string> {
  const seats = ["me", "bot:greedy", "bot:greedy", "bot:greedy"];
  const data = { game: "molotov", seats, name: "Anna", pause: 0, start: true };
  const made = await page.request.post("/api/tables", { data });
  return `/t/${((await made.json()) as CreatedTable).table}`;
}

/** Opens a table without the scripts; what the page sends and fetches, and a function that lets them come. */
async function openWithoutScripts(page: Page, path: string) {
  const sent: string[][] = [];
  const fetched: string[] = [];
  page.on("websocket", (socket) => {
    const types: string[] = [];
    sent.push(types);
    socket.on("framesent", ({ payload }) => types.push((JSON.parse(String(payload)) as ClientMessage).type));
  });
  page.on("request", (request) => fetched.push(`${request.method()} ${new URL(request.url()).pathname}`));
  let come = (): void => undefined;
  const coming = new Promise<void>((done) => (come = done));
  await page.route(SCRIPTS, async (route) => {
    await coming;
    await route.continue();
  });
  await page.goto(path, { waitUntil: "commit" });
  return { sent, fetched, come };
}

async function expectFollowed(
  { page, consoleProblems }: Person,
  path: string,
  sockets: number,
): Promise<void> {
  const { sent, fetched, come } = await openWithoutScripts(page, path);
  await expect.poll(() => fetched).toContain("GET /api/words/en/molotov");
  await expect.poll(() => fetched.some((path) => path.includes("gameUi"))).toBe(true);
  expect(sent).toHaveLength(sockets);
  expect(sent.at(-1)).toEqual(["watch"]);
  await expect(page.locator("#app > *")).toHaveCount(0);

  come();
  await expect(page.locator(".page")).toBeVisible();
  expect(sent).toHaveLength(sockets);
  expect(sent.flat().filter((type) => type === "watch")).toHaveLength(1);
  expect(fetched.filter((path) => path.includes("/api/words/"))).toHaveLength(1);
  expect(fetched.filter((path) => path === "POST /api/identity")).toHaveLength(sockets - 1);
  expect(consoleProblems).toEqual([]);
}

test("a player's table is followed before the scripts come, over the one socket", async ({ person }) => {
  const player = await person({}, PHONE);
  await expectFollowed(player, await makeTable(player.page), 1);
  await expect(ownCards(player.page).first()).toBeVisible();
});

test("a stranger has an identity and follows the table before the scripts come", async ({ person }) => {
  const { page: player } = await person({});
  const stranger = await person({}, PHONE);
  await expectFollowed(stranger, await makeTable(player), 2);
  await expect(stranger.page.getByText("Anna").first()).toBeVisible();
});
