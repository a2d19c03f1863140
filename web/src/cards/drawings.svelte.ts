// Lazily loaded pictures of the court cards. Index, suit and pips are there from the start; a picture
// appears on its card as soon as it is loaded.
import type { Drawing } from "../../decks/palette";

class Drawings {
  #halves = $state.raw<Partial<Record<Drawing, string>>>({});
  #asked = new Set<Drawing>();

  /** The halves of all pictures loaded so far, for the page's `<defs>`. */
  get halves(): readonly string[] {
    return Object.values(this.#halves);
  }

  /** Loads the pictures of a deck into the page, unless that was done before. */
  async load(drawing: Drawing): Promise<void> {
    if (this.#asked.has(drawing)) return;
    this.#asked.add(drawing);
    try {
      const { halves } = await import("../../decks/pictures");
      this.#halves = { ...this.#halves, [drawing]: halves(drawing) };
    } catch {
      // Without a network cards still show index and suit; the next card tries again.
      this.#asked.delete(drawing);
    }
  }
}

export const drawings = new Drawings();
