// The browser's Back, on a phone a gesture: it closes what is open before it leaves the page, and asks before it
// leaves a match. While there is anything to close, an entry of the same address lies on top of the history, the
// guard; Back removes it, and what lies on top closes. There is one guard however much is open, and none once
// everything is closed.

/** The part of an entry's state that says what it is: the guard, or the entry under it. */
interface EntryState {
  back?: "guard" | "under";
}

const entry = (): EntryState["back"] => (history.state as EntryState | null)?.back;

class BackButton {
  /** What Back closes, the topmost last. */
  #layers: (() => void)[] = [];
  /** Whether there is a guard; after a reload it may be the current entry. */
  #guarded = entry() === "guard";
  /** Whether the guard is being removed, which takes the browser a moment. */
  #removing = false;
  #afterRemoval: (() => void)[] = [];

  constructor() {
    this.#sync();
  }

  /**
   * From now on Back calls `close`, the newest layer first and one `below` last. Returns a function that ends
   * this, because the layer has been closed.
   */
  add(close: () => void, below = false): () => void {
    const layer = (): void => close();
    if (below) this.#layers.unshift(layer);
    else this.#layers.push(layer);
    this.#sync();
    return () => {
      this.#layers = this.#layers.filter((one) => one !== layer);
      this.#sync();
    };
  }

  /** Adds an entry to the history, in place of the guard if there is one, and calls `done`. */
  push(path: string, done: () => void): void {
    if (this.#removing) return void this.#afterRemoval.push(() => this.push(path, done));
    if (entry() === "guard") history.replaceState(null, "", path);
    else history.pushState(null, "", path);
    this.#guarded = false;
    done();
  }

  /** Called at `popstate`; `address` is that of the page. Returns whether the page stays as it is. */
  stays(address: string): boolean {
    const here = entry();
    if (location.pathname !== new URL(address, location.href).pathname) {
      // Several entries back or forward at once, by the browser's menu.
      this.#guarded = here === "guard";
      this.#removing = false;
      this.#sync();
      return false;
    }
    if (here === "guard") {
      // Forward to a guard that Back had removed; or a fragment above it has been left.
      if (this.#removing) history.back();
      this.#guarded = true;
      this.#sync();
      return true;
    }
    if (!this.#guarded || here !== "under") return false;
    this.#guarded = false;
    // The address may have changed meanwhile, when the table got another link.
    history.replaceState(null, "", address);
    if (this.#removing) {
      this.#removing = false;
      for (const next of this.#afterRemoval.splice(0)) next();
    } else this.#layers.at(-1)?.();
    this.#sync();
    return true;
  }

  /** Has a guard if there is anything to close; a moment later, when what is closed now has closed. */
  #sync(): void {
    setTimeout(() => {
      if (this.#removing) return;
      if (this.#layers.length > 0 && !this.#guarded) {
        this.#guarded = true;
        history.replaceState({ back: "under" } satisfies EntryState, "");
        history.pushState({ back: "guard" } satisfies EntryState, "");
      } else if (this.#layers.length === 0 && this.#guarded) {
        this.#removing = true;
        history.back();
      }
    });
  }
}

export const backButton = new BackButton();
