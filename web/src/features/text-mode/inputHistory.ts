// Earlier inputs, recalled as in a terminal: newest first, and the unfinished one last.

/** Entries that are kept. */
const MAX_INPUTS = 50;

export class InputHistory {
  #entries: string[] = [];
  /** The place looked at, counted from the oldest; one past the newest while nothing is. */
  #place = 0;
  #begun = "";

  /** Keeps an entry; one that repeats the last is kept once. */
  add(entry: string): void {
    if (this.#entries.at(-1) !== entry) this.#entries = [...this.#entries, entry].slice(-MAX_INPUTS);
    this.#place = this.#entries.length;
    this.#begun = "";
  }

  /** The entry before the current one; `now` is the text in the line. */
  older(now: string): string {
    if (this.#place === this.#entries.length) this.#begun = now;
    this.#place = Math.max(0, this.#place - 1);
    return this.#entries[this.#place] ?? now;
  }

  /** The entry after the current one; after the newest, the text begun before. */
  newer(now: string): string {
    if (this.#place >= this.#entries.length) return now;
    this.#place += 1;
    return this.#entries[this.#place] ?? this.#begun;
  }
}
