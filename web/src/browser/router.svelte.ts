// The addresses of the page: `/` for the start page, `/me` for the reader's matches, `/t/<table>` for a
// table, and `/t/<table>/replay/<match>` for the replay of one of its matches, with `?step=<n>` at a move.
// Once the host has renewed the link, its key follows a `#`: a fragment never leaves the browser, so it
// appears in no log and no Referer.
import { notices } from "../ui/notices.svelte";

export type Route =
  | { name: "start" }
  | { name: "own" }
  | { name: "table"; table: string; key: string | null }
  | { name: "replay"; table: string; match: number; key: string | null }
  | { name: "unknown" };

/** The path of the page about what the reader has played. */
export const MY_MATCHES_PATH = "/me";

/** The route of a path; a table's id is checked for its form only. */
export function parseRoute(path: string, hash = ""): Route {
  if (path === "/" || path === "") return { name: "start" };
  if (path === MY_MATCHES_PATH) return { name: "own" };
  const [, table, match] = /^\/t\/([A-Za-z0-9_-]{1,64})(?:\/replay\/([1-9][0-9]{0,5}))?\/?$/.exec(path) ?? [];
  const key = /^#k=([A-Za-z0-9_-]{1,32})$/.exec(hash)?.[1] ?? null;
  if (!table) return { name: "unknown" };
  return match ? { name: "replay", table, match: Number(match), key } : { name: "table", table, key };
}

/**
 * The path of a table, also the end of the link that people share. In that `lang` says in which language
 * messengers show it, as they know nothing of who reads there.
 */
export function tablePath(table: string, key: string | null = null, lang = ""): string {
  return `/t/${table}${lang && `?lang=${lang}`}${key === null ? "" : `#k=${key}`}`;
}

/** The path of the replay of a match, at a step or a round of it where one is named. */
export function replayPath(
  table: string,
  match: number,
  key: string | null = null,
  place: { step: number } | { round: number } | null = null,
): string {
  const at = place === null ? "" : "step" in place ? `?step=${place.step}` : `?round=${place.round}`;
  return `/t/${table}/replay/${match}${at}${key === null ? "" : `#k=${key}`}`;
}

class Router {
  #path = $state(location.pathname);
  #hash = $state(location.hash);
  readonly route = $derived(parseRoute(this.#path, this.#hash));

  constructor() {
    addEventListener("popstate", () => this.#read());
  }

  navigate(path: string): void {
    notices.clear();
    history.pushState(null, "", path);
    this.#read();
    scrollTo(0, 0);
  }

  /** Writes another address for the same page, such as that of a table whose link is new. */
  replace(path: string): void {
    if (location.pathname + location.hash === path) return;
    history.replaceState(null, "", path);
    this.#read();
  }

  #read(): void {
    this.#path = location.pathname;
    this.#hash = location.hash;
  }
}

export const router = new Router();

/** Follows a link within the page instead of reloading it. */
export function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.origin !== location.origin || link.hasAttribute("download")) return;
  if (link.target || link.getAttribute("href")?.startsWith("#")) return;
  event.preventDefault();
  router.navigate(link.pathname + link.search + link.hash);
}
