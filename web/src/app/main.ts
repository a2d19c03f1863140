import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { gameTexts } from "../i18n/gameTexts.svelte";
import { siteConfig } from "../settings/siteConfig.svelte";
import { loadMessages } from "../i18n";
import { isOfflineShell } from "../browser/offlineShell";
import { router } from "../browser/router.svelte";
import { settings } from "../settings/settings.svelte";

const target = document.getElementById("app");
if (!target) throw new Error("index.html has no #app");

/** Milliseconds before a page whose messages could not be fetched is reloaded. */
const RELOAD_DELAY_MS = 2_000;

// Everything needed for the first screen is fetched in parallel.
if (!isOfflineShell) {
  void siteConfig.load();
  void gameTexts.load(settings.locale);
  if (router.route.name !== "table") loadMessages(settings.locale, "all").catch(() => undefined);
}
loadMessages(settings.locale).then(
  () => mount(App, { target }),
  // A page does not fetch a failed module again.
  () => setTimeout(() => location.reload(), RELOAD_DELAY_MS),
);

// Browsers have service workers only over TLS or on this machine; the page does without.
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  addEventListener("load", () => navigator.serviceWorker.register("/sw.js").catch(() => undefined));
}
