// Where the reader is in the page, and how they go elsewhere.
import { notices } from "../ui/notices.svelte";
import { backButton } from "../ui/backButton";
import { parseRoute } from "./routes";

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
