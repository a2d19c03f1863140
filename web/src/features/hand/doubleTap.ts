// A second tap right after a card was played is meant for that card. If the card completes a trick that the reader
// wins, the next card slides under the finger at once, and would be played unseen.

/** How long after a card the same pointer or key plays no other one, in milliseconds. */
export const DOUBLE_TAP_MS = 400;

export class DoubleTapGuard {
  #by: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Notes that a card has been played by this kind of pointer, or by a key. */
  played(by: string): void {
    this.#by = by;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.#by = null), DOUBLE_TAP_MS);
  }

  /** Whether a tap by this kind of pointer, or a key press, still belongs to the card just played. */
  blocks(by: string): boolean {
    return this.#by === by;
  }
}

/** What a click came from: `mouse`, `touch`, `pen`, or `key`. */
export function clickSource(event: MouseEvent): string {
  if (event.detail === 0) return "key";
  return "pointerType" in event ? String(event.pointerType) || "mouse" : "mouse";
}
