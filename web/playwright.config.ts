import { defineConfig } from "@playwright/test";

// Chromium comes from the system; headless as root it needs to run without its sandbox.
const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

export default defineConfig({
  testDir: "e2e",
  workers: 1,
  fullyParallel: false,
  timeout: 180_000,
  // Whole matches of several browsers against a real server, on machines that do other things too.
  // What fails twice is wrong; what fails once the report names as flaky.
  retries: 1,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  forbidOnly: true,
  use: {
    locale: "en-GB",
    viewport: { width: 1280, height: 800 },
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ARGS,
    },
    trace: "retain-on-failure",
  },
});
