/** Ascending numbers of packs as text, such as "1–3, 5". */
export function packRanges(packs: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const pack of packs) {
    const last = ranges.at(-1);
    if (last?.[1] === pack - 1) last[1] = pack;
    else ranges.push([pack, pack]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join(", ");
}
