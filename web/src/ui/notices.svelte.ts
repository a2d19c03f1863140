// Toasts, and the screen reader announcements of the game.
interface Toast {
  id: number;
  text: string;
  kind: "note" | "error";
}

const TOAST_DURATION_MS = 6_000;
const MAX_HIDDEN_LOG_LINES = 12;
/** A visible log keeps more lines, because people can read it again. */
const MAX_VISIBLE_LOG_LINES = 200;

class Notices {
  #places = $state<string[]>([]);
  toasts = $state<Toast[]>([]);
  /** What the reader waits for, shown until it is over. */
  waiting = $state<string | null>(null);
  announcements = $state<{ id: number; text: string }[]>([]);
  /** The place of the visible log; null if the log is only for screen readers. */
  #log = $state<string | null>(null);
  #count = 0;

  /** Opens a place for notices; returns a function that closes it. */
  addPlace(place: string): () => void {
    this.#places = [...this.#places, place];
    return () => (this.#places = this.#places.filter((one) => one !== place));
  }

  /** Opens a place with a visible log, which shows the notices too; returns a function that closes it. */
  addLog(place: string): () => void {
    const close = this.addPlace(place);
    this.#log = place;
    return () => {
      close();
      this.#log = null;
    };
  }

  /** Whether the log is visible on the page. */
  get hasLog(): boolean {
    return this.#log !== null;
  }

  /** Whether notices are shown at a place: the topmost one, because only that can be used. */
  isActive(place: string): boolean {
    return this.#places.at(-1) === place;
  }

  /** Shows a notice for some seconds, or writes it into the visible log; the same text is not shown twice
   * at once. */
  show(text: string, kind: Toast["kind"] = "note"): void {
    if (this.#log !== null && this.isActive(this.#log)) return this.announce(text);
    if (this.toasts.some((toast) => toast.text === text)) return;
    const id = ++this.#count;
    this.toasts = [...this.toasts.slice(-2), { id, text, kind }];
    setTimeout(() => this.dismiss(id), TOAST_DURATION_MS);
  }

  /** Shows what the reader waits for, or writes it into the visible log; null once it is over. */
  wait(text: string | null): void {
    const inLog = this.#log !== null && this.isActive(this.#log);
    this.waiting = inLog ? null : text;
    if (inLog && text !== null) this.announce(text);
  }

  dismiss(id: number): void {
    this.toasts = this.toasts.filter((toast) => toast.id !== id);
  }

  /** Removes all notices, because their subject is no longer on the page. */
  clear(): void {
    this.toasts = [];
  }

  /** Adds a line for screen readers, which read the lines in order. */
  announce(text: string): void {
    const kept = this.announcements.slice(1 - (this.hasLog ? MAX_VISIBLE_LOG_LINES : MAX_HIDDEN_LOG_LINES));
    this.announcements = [...kept, { id: ++this.#count, text }];
  }
}

export const notices = new Notices();
