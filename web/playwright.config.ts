import { defineConfig } from "@playwright/test";
import { CHROMIUM } from "./e2e/chromium.mjs";

export default defineConfig({
  testDir: "e2e",
  // One for each core of a small machine; each worker has a server and data of its own.
  workers: 2,
  fullyParallel: true,
  timeout: 180_000,
  retries: 0,
  expect: { timeout: 30_000 },
  reporter: "list",
  // Files that take longer than a minute are named at the end.
  reportSlowTests: { max: 10, threshold: 60_000 },
  forbidOnly: true,
  use: {
    locale: "en-GB",
    // A click on what never comes is told long before the test is given up.
    actionTimeout: 60_000,
    viewport: { width: 1280, height: 800 },
    // Only e2e/offline.spec.ts has pages kept on the device.
    serviceWorkers: "block",
    launchOptions: CHROMIUM,
    // A trace costs half of the time; for one test that fails: npx playwright test --trace on -g NAME
    trace: "off",
    screenshot: "only-on-failure",
  },
});
