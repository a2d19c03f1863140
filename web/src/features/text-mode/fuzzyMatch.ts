// Compares typed words: normalization of case, accents and punctuation, and edit distance.

/** The words of a text: `«Schellen-König»` is `schellen` and `konig`. */
export function splitWords(text: string): string[] {
  const plain = text.toLowerCase().replaceAll("œ", "oe").normalize("NFD").replace(/\p{M}/gu, "");
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** A text normalized for comparison. */
export function normalizeText(text: string): string {
  return splitWords(text).join(" ");
}

/** The synonyms that a message lists: `last | last trick`. */
export function synonyms(message: string): string[] {
  return message.split("|").map((one) => one.trim());
}

/** The edit distance: letters changed, added or left out, and neighbours exchanged. */
export function editDistance(one: string, other: string): number {
  let older: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const now = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      let least = Math.min(
        (above[column] ?? 0) + 1,
        (now[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (row > 1 && column > 1 && swapped) least = Math.min(least, (older[column - 2] ?? 0) + 1);
      now.push(least);
    }
    [older, above] = [above, now];
  }
  return above[other.length] ?? 0;
}

/** The maximum number of typos; at most a third of the letters may be wrong. */
const MAX_TYPOS = 2;
const LETTERS_PER_TYPO = 3;

/** The text closest to the input; null if none is close enough. */
export function closestMatch(typed: string, texts: readonly string[]): string | null {
  const wanted = normalizeText(typed);
  const most = Math.min(MAX_TYPOS, Math.floor(wanted.length / LETTERS_PER_TYPO));
  const found = texts
    .map((text) => ({ text, far: editDistance(wanted, normalizeText(text)) }))
    .filter(({ far }) => far <= most)
    .sort((a, b) => a.far - b.far);
  return found[0]?.text ?? null;
}
