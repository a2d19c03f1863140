// How tests start the system's Chromium: headless as root it needs to run without its sandbox, and it
// shall look for nothing outside.
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
