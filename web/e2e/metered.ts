// A phone whose browser has never been here, behind a proxy that counts what it fetches.
import type { Browser, BrowserContext } from "@playwright/test";
import { PHONE } from "./assertions";
import { expect, test as base } from "./page-actions";
import type { Server } from "./server";
import { WireMeter } from "./wire-meter";

export { expect };

export interface Metered {
  meter: WireMeter;
  /** Opens a new profile of a phone, which may keep the page on the device. */
  phone: (locale?: string) => Promise<BrowserContext>;
}

type Use<T> = (value: T) => Promise<void>;

/** The fixtures, for any server. */
export const METERED = {
  meter: async ({ server }: { server: Server }, use: Use<WireMeter>) => {
    const meter = new WireMeter(server.url);
    await meter.start();
    await use(meter);
    await meter.stop();
  },
  phone: async ({ browser, meter }: { browser: Browser; meter: WireMeter }, use: Use<Metered["phone"]>) => {
    const opened: BrowserContext[] = [];
    await use(async (locale = "de-CH") => {
      const context = await browser.newContext({
        baseURL: meter.url,
        viewport: PHONE,
        hasTouch: true,
        isMobile: true,
        deviceScaleFactor: 2,
        locale,
        serviceWorkers: "allow",
      });
      // Nobody has touched the page. A test that looks into it counts as a touch, after which sounds are fetched.
      await context.addInitScript(() =>
        Object.defineProperty(navigator, "userActivation", {
          value: { hasBeenActive: false, isActive: false },
        }),
      );
      opened.push(context);
      return context;
    });
    for (const context of opened) await context.close();
  },
};

export const test = base.extend<Metered>(METERED);
