import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { loadMessages } from "../i18n";
import { isOfflineShell } from "../browser/offlineShell";
import { registerServiceWorker } from "../browser/serviceWorker";
import { router } from "../browser/router.svelte";
import { settings } from "../settings/settings.svelte";

const target = document.getElementById("app");
if (!target) throw new Error("index.html has no #app");

/** Resolves when the style sheets that preload.ts has added have come; without them the page is drawn as it is. */
function stylesLoaded(): Promise<unknown> {
  const links = [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")];
  const settled = (link: HTMLLinkElement): Promise<void> =>
    new Promise((done) => {
      for (const kind of ["load", "error"]) link.addEventListener(kind, () => done());
    });
  return Promise.all(links.filter(({ sheet }) => sheet === null).map(settled));
}

/** Milliseconds before a page whose messages could not be fetched is reloaded. */
const RELOAD_DELAY_MS = 2_000;

// What the first screen needs is preloaded together (preload.ts).
const extent = router.route.name === "table" && !isOfflineShell ? "table" : "start";
Promise.all([loadMessages(settings.locale, extent), stylesLoaded()]).then(
  () => mount(App, { target }),
  // A page does not fetch a failed module again.
  () => setTimeout(() => location.reload(), RELOAD_DELAY_MS),
);

if (import.meta.env.PROD) registerServiceWorker();
