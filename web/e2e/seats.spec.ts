import type { Page } from "@playwright/test";
import type { CreatedTable, RoomInfo } from "../src/api/messages";
import { botNameAt } from "./bot-names";
import { expectFitsAndAccessible, overlaps, PHONE } from "./assertions";
import { expect, ownCards, test } from "./page-actions";

/** Makes a table with Anna on the first seat, and opens it to her and to another person. */
async function openTable(anna: Page, other: Page, game: string, seats: string[]): Promise<string> {
  const made = await anna.request.post("/api/tables", { data: { game, seats, name: "Anna", pause: 0 } });
  const { table } = (await made.json()) as CreatedTable;
  for (const page of [anna, other]) await page.goto(`/t/${table}`);
  return table;
}

/** Waits until people of these names sit around the table, from the first seat on. */
async function expectAround(page: Page, ...names: string[]): Promise<void> {
  for (const [seat, name] of names.entries()) {
    await expect(page.locator(`.lobby [data-seat="${seat}"] .seat-name`)).toHaveText(name);
  }
}

/** Waits until the page lists these sides. */
async function expectSides(page: Page, ...sides: string[]): Promise<void> {
  const section = page.locator("section", { hasText: "Who plays with whom" });
  await expect(section.locator("li")).toHaveText(sides);
}

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name }).click();
}

test("two people swap seats, become partners, and play against two computers", async ({ person }) => {
  const anna = (await person({ nickname: "Anna" })).page;
  const reto = (await person({ nickname: "Reto" }, PHONE)).page;
  const table = await openTable(anna, reto, "schieber", ["me", "open", "bot:greedy", "open"]);
  const computer = botNameAt(table, 2);
  await expectSides(reto, `Anna + ${computer}`, "free seat + free seat");
  await press(reto, "Sit here: Seat 2");
  await expectSides(anna, `Anna + ${computer}`, "Reto + free seat");

  // Reto declines, asks, withdraws; then they agree.
  await press(anna, "Ask Reto to swap seats");
  await expect(reto.getByRole("heading", { name: "Anna would like to swap seats" })).toBeVisible();
  await expect(reto.getByText(`You would then play with ${computer}.`)).toBeVisible();
  await expectFitsAndAccessible(reto);
  await press(reto, "Stay");
  await expect(anna.getByText("Reto would rather not swap seats.")).toBeVisible();
  await expectAround(anna, "Anna", "Reto", computer, "Sit here");
  await press(reto, "Ask Anna to swap seats");
  await expect(anna.getByRole("heading", { name: "Reto would like to swap seats" })).toBeVisible();
  await press(reto, "Withdraw");
  await expect(anna.getByRole("heading", { name: "Reto would like to swap seats" })).toHaveCount(0);
  await press(anna, "Ask Reto to swap seats");
  await reto.locator(".offer").getByRole("button", { name: "Swap seats" }).click();
  await expect(anna.getByText("You now sit on seat 2.").first()).toBeVisible();
  await expectAround(anna, "Reto", "Anna", computer, "Sit here");

  // A bot needs no consent; it keeps its name and strength, and Anna becomes Reto's partner.
  await press(anna, `Swap seats with ${computer}`);
  for (const page of [anna, reto]) {
    await expectAround(page, "Reto", computer, "Anna", "Sit here");
    await expectSides(page, "Reto + Anna", `${computer} + free seat`);
    await expect(page.locator(".lobby").getByText("plays with you")).toBeVisible();
    await expectFitsAndAccessible(page);
  }

  await press(anna, "Start the match");
  for (const page of [anna, reto]) await expect(ownCards(page)).toHaveCount(9);
  // Speech bubbles about the seats cover no plate.
  expect(await anna.locator(".toast").count()).toBe(0);
  const room = (await (await anna.request.get(`/api/tables/${table}`)).json()) as RoomInfo;
  expect(room.sides).toEqual([
    [0, 2],
    [1, 3],
  ]);
  expect(room.seats.map(({ kind, name }) => (kind === "person" ? name : kind))).toEqual([
    "Reto",
    "computer",
    "Anna",
    "computer",
  ]);
  expect(room.seats[1]?.bot).toBe("greedy");
});

test("a spectator sees sides and swap offers, without buttons to answer", async ({ person }) => {
  const anna = (await person({ nickname: "Anna" })).page;
  const lea = (await person({ nickname: "Lea" }, PHONE)).page;
  const reto = (await person({ nickname: "Reto" })).page;
  await openTable(anna, lea, "schieber", ["me", "open", "open", "open"]);
  await reto.goto(anna.url());
  await press(reto, "Sit here: plays with Anna, Seat 3");
  await press(anna, "Ask Reto to swap seats");
  await expect(lea.getByText("Anna asks Reto to swap seats.").first()).toBeAttached();
  await expectSides(lea, "Anna + Reto", "free seat + free seat");
  await expect(lea.locator(".offer")).toHaveCount(0);
  await expect(lea.locator(".lobby .mat button")).toHaveText([/Sit here/, /Sit here/]);
  await expectFitsAndAccessible(lea);
  // Moving to another seat ends the request.
  await press(reto, "Sit here: Seat 4");
  await expect(anna.getByText("You have asked Reto to swap seats.")).toHaveCount(0);
});

test("seats can be swapped at a full table of a game without partners", async ({ person }) => {
  const anna = (await person({ nickname: "Anna" }, PHONE)).page;
  const reto = (await person({ nickname: "Reto" })).page;
  const seats = ["me", ...Array<string>(7).fill("bot:greedy")];
  const table = await openTable(anna, reto, "i-doubt-it", seats);
  await expect(anna.getByText("Who plays with whom")).toHaveCount(0);
  await expect(reto.getByText("All seats are taken. You are watching.")).toBeVisible();
  await expect(reto.getByText("Anyone who opens this link can watch.")).toBeVisible();
  const computer = botNameAt(table, 5, 8);
  await press(anna, `Swap seats with ${computer}`);
  await expect(anna.locator('.lobby [data-seat="5"] .seat-name')).toHaveText("Anna");
  await expect(anna.locator('.lobby [data-seat="0"] .seat-name')).toHaveText(computer);
  await expectFitsAndAccessible(anna);
  const plates = [...seats.keys()].map((seat) => `.lobby [data-seat="${seat}"] .place`);
  expect(await overlaps(anna, ...plates)).toEqual([]);
});
