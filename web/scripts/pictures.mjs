// Draws the pictures in public/ that browsers and messengers want as PNG, from our own drawings: the
// icons from favicon.svg, the picture of a preview from the components of the table. They are committed,
// because Chromium draws them, which is not at hand where the page is built: `npm run pictures`.
import { readFileSync, writeFileSync } from "node:fs";
import { chromium } from "@playwright/test";
import { createServer } from "vite";
import { CHROMIUM } from "../e2e/chromium.mjs";

const PUBLIC = new URL("../public/", import.meta.url);
const MARK = readFileSync(new URL("../src/ui/favicon.svg", PUBLIC), "utf8");
const GREEN = "#1f6f4c";

/** The mark on green up to the edges, with room around it that the device may cut away. */
function whole(margin) {
  const [from, size] = [-margin, 64 + 2 * margin];
  return MARK.replace('viewBox="0 0 64 64"', `viewBox="${from} ${from} ${size} ${size}"`).replace(
    /<rect [^>]*\/>/,
    `<rect x="${from}" y="${from}" width="${size}" height="${size}" fill="${GREEN}"/>`,
  );
}

const ICONS = [
  ["icon-192.png", 192, MARK],
  ["icon-512.png", 512, MARK],
  ["icon-maskable-192.png", 192, whole(6)],
  ["icon-maskable-512.png", 512, whole(6)],
  ["icon-touch.png", 180, whole(0)],
];

const browser = await chromium.launch(CHROMIUM);
const server = await createServer({ root: new URL("..", import.meta.url).pathname, logLevel: "error" });
try {
  const page = await browser.newPage();
  for (const [name, size, svg] of ICONS) {
    await page.setViewportSize({ width: size, height: size });
    await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`);
    save(name, await page.screenshot({ omitBackground: true }));
  }
  await server.listen();
  await page.setViewportSize({ width: 1200, height: 630 });
  await page.goto(`${server.resolvedUrls.local[0]}scripts/pictures/index.html`);
  await page.locator(".card svg").last().waitFor();
  await page.evaluate(() => document.fonts.ready);
  save("preview.png", await page.screenshot());
} finally {
  await server.close();
  await browser.close();
}

function save(name, png) {
  writeFileSync(new URL(name, PUBLIC), png);
  console.log(`${name}: ${Math.ceil(png.length / 1024)} KiB`);
}
