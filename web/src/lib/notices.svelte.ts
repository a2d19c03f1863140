// Short notices for the eye, and what a screen reader is told of the play.
interface Toast {
  id: number;
  text: string;
  kind: "note" | "error";
}

const SHOWN_FOR = 6_000;
const LOG_LENGTH = 12;

class Notices {
  #places = $state<string[]>([]);
  toasts = $state<Toast[]>([]);
  said = $state<{ id: number; text: string }[]>([]);
  #count = 0;

  /** Opens a place to show notices at; closes it again when called. */
  open(place: string): () => void {
    this.#places = [...this.#places, place];
    return () => (this.#places = this.#places.filter((one) => one !== place));
  }

  /** Whether notices are to be seen at a place: what lies over all others, for it alone can be used. */
  at(place: string): boolean {
    return this.#places.at(-1) === place;
  }

  /** Shows a notice for some seconds; the same text is not shown twice at once. */
  show(text: string, kind: Toast["kind"] = "note"): void {
    if (this.toasts.some((toast) => toast.text === text)) return;
    const id = ++this.#count;
    this.toasts = [...this.toasts.slice(-2), { id, text, kind }];
    setTimeout(() => this.dismiss(id), SHOWN_FOR);
  }

  dismiss(id: number): void {
    this.toasts = this.toasts.filter((toast) => toast.id !== id);
  }

  /** Takes all notices away: what they speak of is no longer on the page. */
  clear(): void {
    this.toasts = [];
  }

  /** Tells a screen reader, which reads the lines in order. */
  say(text: string): void {
    this.said = [...this.said.slice(1 - LOG_LENGTH), { id: ++this.#count, text }];
  }
}

export const notices = new Notices();
