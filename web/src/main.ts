import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { loadTexts } from "./lib/i18n";
import { settings } from "./lib/settings.svelte";

const target = document.getElementById("app");
if (!target) throw new Error("index.html has no #app");

/** Milliseconds after which messages that could not be had are asked for again. */
const AGAIN = 2_000;

async function begin(where: Element): Promise<void> {
  const texts = await loadTexts(settings.locale).catch((error: unknown) => error);
  if (texts === undefined) mount(App, { target: where });
  else setTimeout(() => void begin(where), AGAIN);
}
void begin(target);

// Browsers have service workers only over TLS or on this machine; the page does without.
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  addEventListener("load", () => navigator.serviceWorker.register("/sw.js").catch(() => undefined));
}
