import { PHONE } from "./assertions";
import { fastForward } from "./fast-forward";
import {
  nextDecision,
  chooseGame,
  expect,
  leaveMatch,
  openLobby,
  ownCards,
  playCard,
  playNow,
  playUntil,
  setNumber,
  test,
} from "./page-actions";

test("two people play at one table, one joining by link", async ({ person }) => {
  const anna = await person({ nickname: "Anna" });
  const reto = await person({ locale: "de", nickname: "" });
  await chooseGame(anna.page, "Molotov Jass");
  await anna.page.getByRole("radio", { name: "3", exact: true }).check();
  await setNumber(anna.page, "Strokes to win", 1);
  await openLobby(anna.page);
  const link = await anna.page.getByRole("textbox", { name: "Link" }).inputValue();
  // The shared link also contains the language of its preview in messengers.
  expect(link).toBe(`${anna.page.url()}?lang=en`);

  await reto.page.goto(link);
  await reto.page.getByRole("button", { name: "Hier sitzen: Platz 2" }).click();
  await expect(reto.page.getByRole("alert")).toHaveText("Gib zuerst deinen Namen ein.");
  await reto.page.getByRole("textbox", { name: "Dein Name" }).fill("Reto");
  await reto.page.getByRole("button", { name: "Hier sitzen: Platz 2" }).click();
  await expect(anna.page.getByRole("button", { name: "Ask Reto to swap seats" })).toBeVisible();
  await expect(anna.page.getByText("A computer takes the free seat.")).toBeVisible();

  await reto.page.evaluate(() => {
    localStorage.setItem(
      "jasstisch.settings",
      JSON.stringify({ locale: "en", speed: "brisk", lastCard: false, nickname: "Reto" }),
    );
  });
  await reto.page.reload();
  await anna.page.getByRole("button", { name: "Start the match" }).click();

  await expect(ownCards(anna.page)).toHaveCount(12);
  await expect(ownCards(reto.page)).toHaveCount(12);
  const cards = async (one: typeof anna): Promise<(string | null)[]> =>
    ownCards(one.page).evaluateAll((all) => all.map((card) => card.getAttribute("data-card")));
  const mine = await cards(anna);
  expect((await cards(reto)).some((card) => mine.includes(card))).toBe(false);

  await Promise.all([playUntil(anna.page), playUntil(reto.page)]);
  for (const { page } of [anna, reto]) {
    await expect(page.getByRole("heading", { level: 2, name: /win/ })).toBeVisible();
  }

  await anna.page.getByRole("button", { name: "Rematch" }).click();
  await expect(anna.page.getByText("Waiting for Reto")).toBeVisible();
  await reto.page.getByRole("button", { name: "Rematch" }).click();
  await expect(ownCards(anna.page)).toHaveCount(12);
});

test("the button to the next round stays in its place when others get ready", async ({ person }) => {
  const [long, longer] = ["Jean-Rémy Schwarzenbach", "Maximiliane Hinterberger"] as const;
  const anna = (await person({ nickname: "Anna" }, PHONE)).page;
  const reto = (await person({ nickname: long })).page;
  const cla = (await person({ nickname: longer })).page;
  await chooseGame(anna, "Molotow Jass");
  await openLobby(anna);
  for (const [page, number] of [[reto, 2] as const, [cla, 3] as const]) {
    await page.goto(anna.url());
    await page.getByRole("button", { name: `Sit here: Seat ${number}` }).click();
  }
  await expect(anna.getByRole("button", { name: `Ask ${longer} to swap seats` })).toBeVisible();
  await anna.getByRole("button", { name: "Start the match" }).click();
  await expect(ownCards(anna).first()).toBeVisible();
  await fastForward([anna, reto, cla], { rounds: 1 });
  const button = anna.getByRole("button", { name: "Next round" });
  await expect(button).toBeVisible();
  const before = await button.boundingBox();
  for (const page of [reto, cla]) {
    // Nor does the link take the place of a pressed button: the second of two quick clicks would open it.
    const link = page.getByRole("link", { name: "Look at this round again" });
    const place = await link.boundingBox();
    await page.getByRole("button", { name: "Next round" }).click();
    await expect(page.getByRole("button", { name: "Next round" })).toHaveCount(0);
    expect(await link.boundingBox()).toEqual(place);
  }
  await expect(anna.locator(".sheet [role=status]")).toHaveText(`Ready: ${long} and ${longer}`);
  expect(await button.boundingBox()).toEqual(before);
});

test("a spectator sees the table and no hand", async ({ person }) => {
  const anna = await person({ nickname: "Anna" });
  const guest = await person({ nickname: "Guest" });
  await chooseGame(anna.page, "Molotov Jass");
  await playNow(anna.page);
  await nextDecision(anna.page);
  await guest.page.goto(anna.page.url());
  await expect(guest.page.getByText("You are watching.")).toBeVisible();
  await expect(ownCards(guest.page)).toHaveCount(0);
  const card = await playCard(anna.page);
  // In the trick on the mat, or already in the last trick next to it.
  await expect(guest.page.locator(`[data-card="${card}"]`).first()).toBeVisible();
});

test("a reload during a round restores seat and cards", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  await chooseGame(page, "Differenzler");
  await playNow(page);
  let plays = 0;
  await playUntil(page, (moment) => moment === "play" && ++plays > 3);
  const texts = (): Promise<string[]> =>
    ownCards(page).evaluateAll((all) => all.map((card) => card.getAttribute("data-card") ?? ""));
  const before = await texts();
  await page.reload();
  await nextDecision(page);
  expect(await texts()).toEqual(before);
  await expect(page.locator('[data-own="bid"]')).toHaveText("40");
  await playUntil(page, (moment) => moment === "round");

  await page.goto("/");
  await page.getByRole("link", { name: /Differenzler.*Continue/ }).click();
  await expect(page.getByRole("button", { name: "Next round" })).toBeVisible();
});

test("the table continues after the server is killed during a round", async ({ person, server }) => {
  const { page } = await person({ nickname: "Anna" });
  await chooseGame(page, "Molotov Jass");
  await setNumber(page, "Strokes to win", 1);
  await playNow(page);
  let plays = 0;
  await playUntil(page, (moment) => moment === "play" && ++plays > 4);
  const left = await ownCards(page).count();

  await server.kill();
  await expect(page.getByText("Connection lost. Reconnecting …")).toBeVisible();
  await server.start();
  await expect(page.getByText("Connection lost. Reconnecting …")).toHaveCount(0);
  await expect(ownCards(page)).toHaveCount(left);
  await playCard(page);
  await fastForward([page], {});
  await expect(page.getByRole("heading", { level: 2, name: /win/ })).toBeVisible();
});

test("a person who leaves during play is back on their seat with one tap", async ({ person }) => {
  const { page } = await person({ nickname: "Anna" });
  const guest = await person({ nickname: "Guest" });
  await chooseGame(page, "Molotow Jass");
  await playNow(page);
  await nextDecision(page);
  const table = page.url();
  await leaveMatch(page);
  await expect(page.getByRole("heading", { name: "Choose a game" })).toBeVisible();

  await guest.page.goto(table);
  await guest.page.getByRole("button", { name: "Ask to be let in: Anna (computer)" }).click();
  await expect(guest.page.getByText("You have asked for seat 1. The host decides.")).toBeVisible();
  await expect(ownCards(guest.page)).toHaveCount(0);

  await page.goto(table);
  await expect(page.getByText("Your seat is kept for you; meanwhile the computer plays.")).toBeVisible();
  await page.getByRole("button", { name: "Back to my seat" }).click();
  await expect(page.locator("[data-former]")).toHaveCount(0);
  await nextDecision(page);

  await leaveMatch(page);
  await page.getByRole("link", { name: /Molotow.*Continue/ }).click();
  await nextDecision(page);
  await expect(ownCards(page).first()).toBeVisible();
});

test("who comes back sees that the host has given their seat away, and to whom", async ({ person }) => {
  const anna = await person({ nickname: "Anna" });
  const reto = await person({ nickname: "Reto" });
  const guest = await person({ nickname: "Guest" });
  await chooseGame(anna.page, "Molotow Jass");
  await openLobby(anna.page);
  const table = anna.page.url();
  await reto.page.goto(table);
  await reto.page.getByRole("button", { name: "Sit here: Seat 2" }).click();
  await anna.page.getByRole("button", { name: "Start the match" }).click();
  await expect(ownCards(reto.page).first()).toBeVisible();
  await leaveMatch(reto.page);

  await guest.page.goto(table);
  await guest.page.getByRole("button", { name: "Ask to be let in: Reto (computer)" }).click();
  await anna.page.getByRole("button", { name: "Let in" }).click();
  await expect(ownCards(guest.page).first()).toBeVisible();
  await reto.page.goto(table);
  await expect(reto.page.locator("[data-former]")).toContainText("Guest has your seat now.");
  await expect(reto.page.locator("[data-former] button")).toHaveCount(0);
});

test("an unknown table and an unknown address say so", async ({ person }) => {
  const { page } = await person();
  await page.goto("/t/this-table-does-not-exist");
  await expect(page.getByRole("heading", { name: "This table does not exist" })).toBeVisible();
  await page.getByRole("link", { name: "Back to the start page" }).last().click();
  await expect(page.getByRole("heading", { name: "Choose a game" })).toBeVisible();
});
