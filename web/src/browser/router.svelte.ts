// The addresses of the page: `/` for the start page, `/me` for the reader's matches, `/t/<table>` for a
// table, and `/t/<table>/replay/<match>` for the replay of one of its matches, with `?step=<n>` at a move.
// Once the host has renewed the link, its key follows a `#`: a fragment never leaves the browser, so it
// appears in no log and no Referer.
import { notices } from "../ui/notices.svelte";
import { backButton } from "../ui/backButton";

export type Route =
  | { name: "start" }
  | { name: "own" }
  | { name: "table"; table: string; key: string | null }
  | { name: "replay"; table: string; match: number; key: string | null }
  | { name: "unknown" };

/** The path of the page with the reader's matches. */
export const MY_MATCHES_PATH = "/me";

/** The route of a path; only the form of a table's id is checked. */
export function parseRoute(path: string, hash = ""): Route {
  if (path === "/" || path === "") return { name: "start" };
  if (path === MY_MATCHES_PATH) return { name: "own" };
  const [, table, match] = /^\/t\/([A-Za-z0-9_-]{1,64})(?:\/replay\/([1-9][0-9]{0,5}))?\/?$/.exec(path) ?? [];
  const key = /^#k=([A-Za-z0-9_-]{1,32})$/.exec(hash)?.[1] ?? null;
  if (!table) return { name: "unknown" };
  return match ? { name: "replay", table, match: Number(match), key } : { name: "table", table, key };
}

/**
 * The path of a table, also used in the link that people share. There `lang` is the language of the
 * preview in messengers, which do not know the reader's language.
 */
export function tablePath(table: string, key: string | null = null, lang = ""): string {
  return `/t/${table}${lang && `?lang=${lang}`}${key === null ? "" : `#k=${key}`}`;
}

/** The path of a match's replay, at a step or a round if one is given. */
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
  #search = location.search;
  #hash = $state(location.hash);
  readonly route = $derived(parseRoute(this.#path, this.#hash));

  constructor() {
    addEventListener("popstate", () => {
      if (!backButton.stays(this.#address)) this.#read();
    });
  }

  navigate(path: string): void {
    notices.clear();
    backButton.push(path, () => {
      this.#read();
      scrollTo(0, 0);
    });
  }

  /** Replaces the address of the current page, for instance after the table's link was renewed. */
  replace(path: string): void {
    if (location.pathname + location.search + location.hash === path) return;
    history.replaceState(history.state, "", path);
    this.#read();
  }

  get #address(): string {
    return this.#path + this.#search + this.#hash;
  }

  #read(): void {
    this.#path = location.pathname;
    this.#search = location.search;
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
