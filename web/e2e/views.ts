// Every kind of screen and panel, opened one after the other, for checks of how things look.
import type { Page } from "@playwright/test";
import { playedMatches } from "./played-matches";
import { fastForward } from "./fast-forward";
import { LONG_NAMES, openScene, type Circumstances } from "./scenes";
import { chooseGame, playNow, setNumber } from "./page-actions";

export interface View {
  name: string;
  open: (page: Page) => Promise<void>;
}

async function openStartPage(page: Page): Promise<void> {
  await page.goto("/");
  await page.locator(".tile").first().waitFor();
}

async function openSettings(page: Page): Promise<void> {
  await openStartPage(page);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("dialog").waitFor();
}

/** The view of a scene, changed by an optional action. */
export function scene(name: string, change?: (page: Page) => Promise<void>, more?: Circumstances): View {
  return {
    name: `${name}${change ? `, ${change.name}` : ""}`,
    async open(page) {
      await openScene(page, name, LONG_NAMES, more);
      await page.locator("main#content").waitFor();
      // What is fetched on demand has come.
      await page.locator(".later").waitFor({ state: "detached" });
      await change?.(page);
    },
  };
}

async function chat(page: Page): Promise<void> {
  await page.locator(".speak").click();
}

async function textMode(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Text mode" }).press("Enter");
  await page.getByRole("log").waitFor();
}

async function slate(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Slate" }).click();
  await page.getByRole("dialog").waitFor();
}

async function shortcuts(page: Page): Promise<void> {
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
}

/** A player who is away, one without connection, a computer and a program. */
const ABSENT: Circumstances = {
  seats: { 1: { away: true }, 3: { kind: "computer", bot: "club" } },
  missing: [2],
};

export const VIEWS: readonly View[] = [
  {
    name: "start page",
    open: (page) => chooseGame(page, "Schieber"),
  },
  { name: "settings", open: openSettings },
  {
    name: "account",
    async open(page) {
      await openSettings(page);
      await page.getByRole("button", { name: "You and your devices" }).click();
      await page.locator("dialog").nth(1).waitFor();
    },
  },
  {
    name: "code of a table",
    async open(page) {
      await openStartPage(page);
      await page.getByRole("button", { name: "Code" }).click();
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "rules",
    async open(page) {
      await openStartPage(page);
      await page.getByRole("button", { name: "Rules", exact: true }).click();
      await page.getByRole("dialog").getByRole("heading", { name: "The aim" }).waitFor();
    },
  },
  {
    name: "house rules",
    async open(page) {
      await openStartPage(page);
      await page.getByRole("button", { name: "Rules", exact: true }).click();
      await page.getByRole("navigation").getByRole("button").last().click();
    },
  },
  {
    name: "my matches",
    async open(page) {
      await page.route("**/api/me/matches**", (route) => route.fulfill({ json: playedMatches() }));
      await page.goto("/me");
      await page.locator(".matches > li").first().waitFor();
    },
  },
  {
    name: "analysis",
    async open(page) {
      await chooseGame(page, "Molotow Jass");
      await setNumber(page, "Rounds", 1);
      await playNow(page);
      await fastForward([page], {});
      await page.getByRole("link", { name: "Replay and analysis" }).click();
      await page.getByRole("slider", { name: "Move" }).fill("12");
      await page.getByRole("radio", { name: "All hands" }).check();
    },
  },
  {
    name: "lobby",
    async open(page) {
      await page.route("**/api/tables/*/code", (route) =>
        route.fulfill({ json: { code: "ABCDEF", seconds: 600 } }),
      );
      await scene("schieber_asked", undefined, { room: { phase: "open" } }).open(page);
    },
  },
  scene("schieber_asked"),
  scene("schieber_weis"),
  scene("schieber_play", chat, ABSENT),
  scene("schieber_slate", shortcuts),
  scene("schieber_round"),
  scene("schieber_won"),
  scene("coiffeur_ten"),
  scene("coiffeur_round"),
  scene("coiffeur_play", slate),
  scene("four_asked"),
  scene("three_rob"),
  scene("one_safe"),
  scene("round"),
  scene("dropped"),
  scene("drawing"),
  scene("last_card"),
  scene("last_claim"),
  scene("crowd_of_6"),
  scene("crowd_of_8"),
  // Last, because the page stays in text mode.
  scene("schieber_play", textMode),
];

/** The view of this name. */
export function view(name: string): View {
  const found = VIEWS.find((one) => one.name === name);
  if (!found) throw new Error(`no view '${name}'`);
  return found;
}
