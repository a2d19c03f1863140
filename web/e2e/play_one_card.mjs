// Plays one card at a table of a running server, in the page that it serves: for a test of the installed
// package. Prints the available bots and the card played.
import { chromium } from "@playwright/test";
import { CHROMIUM } from "./chromium.mjs";

const browser = await chromium.launch(CHROMIUM);
const page = await browser.newPage({ locale: "en-GB" });
// Only a busy machine needs more than a few seconds.
page.setDefaultTimeout(120_000);
await page.goto(process.argv[2]);
const opponents = page.getByRole("group", { name: "Strength of the computer" }).locator("label");
await opponents.first().waitFor();
console.log(`opponents: ${(await opponents.allInnerTexts()).join(", ")}`);
// This game begins with a card; others begin with a bid or an announcement.
await page.getByRole("radio", { name: /^Molotov Jass/ }).check();
await page.getByRole("button", { name: /^Play now/ }).click();
const card = page.getByRole("button", { name: /, playable$/ }).first();
const name = await card.getAttribute("data-card");
await card.click({ position: { x: 14, y: 14 } });
await page.locator(`#hand button[data-card="${name}"]`).waitFor({ state: "detached" });
console.log(`played: ${name}`);
await browser.close();
