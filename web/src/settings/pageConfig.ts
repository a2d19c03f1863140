// What the server writes into the page: the operator's choices, and the names of the games. Under Vite's own
// server and in unit tests there may be none; then the page has all languages and no greeting.
import type { PageConfig } from "../api/messages";
import { locales } from "./locales";

const NONE: PageConfig = { languages: [...locales], greeting: {}, games: [], texts: "" };

/** The configuration in this page. */
export function readPageConfig(): PageConfig {
  const page = globalThis.document as Document | undefined;
  const text = page?.getElementById("config")?.textContent;
  return text ? (JSON.parse(text) as PageConfig) : NONE;
}

export const pageConfig = readPageConfig();
