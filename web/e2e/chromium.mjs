// How tests start the system's Chromium: without the sandbox, which root cannot use when headless, and
// without background network requests.
export const CHROMIUM = {
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
  ],
};
