// The two addresses of the page: `/` to begin, `/t/<table>` for a table.
import { notices } from "./notices.svelte";

export type Route = { name: "start" } | { name: "table"; table: string } | { name: "unknown" };

/** The route of a path; a table's id is checked for its form only. */
export function routeOf(path: string): Route {
  if (path === "/" || path === "") return { name: "start" };
  const table = /^\/t\/([A-Za-z0-9_-]{1,64})\/?$/.exec(path)?.[1];
  return table ? { name: "table", table } : { name: "unknown" };
}

/** The path of a table, also the end of the link that people share. */
export function tablePath(table: string): string {
  return `/t/${table}`;
}

class Router {
  #path = $state(location.pathname);
  readonly route = $derived(routeOf(this.#path));

  constructor() {
    addEventListener("popstate", () => (this.#path = location.pathname));
  }

  go(path: string): void {
    notices.clear();
    history.pushState(null, "", path);
    this.#path = location.pathname;
    scrollTo(0, 0);
  }
}

export const router = new Router();

/** Follows a link within the page instead of loading it anew. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.origin !== location.origin || link.hasAttribute("download")) return;
  if (link.target || link.getAttribute("href")?.startsWith("#")) return;
  event.preventDefault();
  router.go(link.pathname);
}
