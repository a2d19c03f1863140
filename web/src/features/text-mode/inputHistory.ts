// Earlier inputs, recalled as in a terminal: newest first, and the unfinished one last.

/** The number of inputs that are kept. */
const MAX_INPUTS = 50;

export class InputHistory {
  #entries: string[] = [];
  /** The index of the input shown, from the oldest; one past the newest while none is. */
  #place = 0;
  #begun = "";

  /** Adds an input, unless it repeats the last one. */
  add(entry: string): void {
    if (this.#entries.at(-1) !== entry) this.#entries = [...this.#entries, entry].slice(-MAX_INPUTS);
    this.#place = this.#entries.length;
    this.#begun = "";
  }

  /** The input before the current one; `now` is the text in the input line. */
  older(now: string): string {
    if (this.#place === this.#entries.length) this.#begun = now;
    this.#place = Math.max(0, this.#place - 1);
    return this.#entries[this.#place] ?? now;
  }

  /** The input after the current one; after the newest, the unfinished text. */
  newer(now: string): string {
    if (this.#place >= this.#entries.length) return now;
    this.#place += 1;
    return this.#entries[this.#place] ?? this.#begun;
  }
}
