// The page cached on the device: it opens without a connection and says so, continues by itself once there
// is one, and is replaced by a new build.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { DESKTOP, expectFitsAndAccessible, PHONE } from "./assertions";
import { expect, waitGone, test as base } from "./page-actions";

/** A proxy in front of a table server: it can be shut down, and can serve the page as another build. */
class Gate {
  build = "first";
  #port = 0;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  constructor(readonly behind: string) {}

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async open(): Promise<void> {
    await new Promise<void>((done) => this.#server.listen(this.#port, "127.0.0.1", done));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async shut(): Promise<void> {
    await new Promise((done) => this.#server.close(done));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "/";
    const answer = await fetch(this.behind + path);
    const body = Buffer.from(await answer.arrayBuffer());
    const headers = [...answer.headers].filter(([name]) => /^(content-(type|sec)|cache)/.test(name));
    // Connections are not kept alive, so that the gate can close after the last response.
    response.writeHead(answer.status, { ...Object.fromEntries(headers), connection: "close" });
    response.end(path === "/sw.js" || path === "/" ? this.#marked(body.toString()) : body);
  }

  /** The page, or the service worker with its cache name, marked as this build. */
  #marked(text: string): string {
    const head = `<head><meta name="build" content="${this.build}" />`;
    return text.replace("<head>", head).replace(/jasstisch-\w{12}/, this.build);
  }
}

const test = base.extend<{ gate: Gate }>({
  // This test plays no cards, so it need not wait for bots.
  server: async ({ house }, use) => {
    await house.open();
    await use(house);
  },
  gate: async ({ server }, use) => {
    const gate = new Gate(server.url);
    await gate.open();
    await use(gate);
    await gate.shut().catch(() => undefined);
  },
});

test.use({ serviceWorkers: "allow" });

/** Opens the start page for the first time and waits until it is cached, with all its files. */
async function visit(page: Page, gate: Gate): Promise<void> {
  await page.goto(gate.url);
  const isKept = (): Promise<boolean> =>
    page.evaluate(async () => {
      if (!navigator.serviceWorker.controller) return false;
      const used = performance.getEntriesByType("resource").filter(({ name }) => name.includes("/assets/"));
      const kept = await Promise.all(used.map(({ name }) => window.caches.match(name)));
      return kept.length > 0 && kept.every((one) => one !== undefined);
    });
  await expect.poll(isKept).toBe(true);
}

const build = (page: Page): Promise<string | null> =>
  page.locator("meta[name=build]").getAttribute("content");

const caches = (page: Page): Promise<string[]> => page.evaluate(() => window.caches.keys());

for (const [size, theme, locale, title] of [
  [PHONE, "light", "de", "Keine Verbindung"],
  [DESKTOP, "dark", "fr", "Pas de connexion"],
] as const) {
  test(`the page opens offline and says so at ${size.width}×${size.height}`, async ({ person, gate }) => {
    const { page } = await person({ theme, locale }, size);
    await visit(page, gate);
    await gate.shut();
    for (const path of ["/", "/t/AbCdEfGhIjKlMnOpQrStUv"]) {
      await page.goto(gate.url + path);
      await expect(page.getByRole("heading", { name: title })).toBeVisible();
    }
    await expect(page.locator(".wordmark img")).toHaveJSProperty("complete", true);
    await expectFitsAndAccessible(page);
    await page.goto(gate.url);
    await gate.open();
    await waitGone(page, "html[data-kept]");
    await expect(page.locator(".tiles")).toBeVisible();
  });
}

test("a new build is shown at once and cached, and the old one is dropped", async ({ person, gate }) => {
  const { page } = await person();
  await visit(page, gate);
  expect(await caches(page)).toEqual(["first"]);

  gate.build = "second";
  await page.goto(gate.url);
  expect(await build(page)).toBe("second");
  await expect.poll(() => caches(page)).toEqual(["second"]);

  await gate.shut();
  await page.goto(gate.url);
  await expect(page.getByRole("heading", { name: "No connection" })).toBeVisible();
  expect(await build(page)).toBe("second");
  const kept = await page.evaluate(async () => {
    const cache = await window.caches.open("second");
    return (await cache.keys()).map(({ url }) => new URL(url).pathname);
  });
  expect(kept).toContain("/");
  expect(kept.filter((path) => !/^\/(assets\/.+|favicon\.svg)?$/.test(path))).toEqual([]);
});
