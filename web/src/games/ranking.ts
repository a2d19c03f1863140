// Ranks seats by a figure of a round, ties included. Pure.

/** The seats from the best figure to the worst; equal ones in order of play. */
export function seatsByRank(figures: readonly number[], best: "low" | "high"): number[] {
  const sign = best === "low" ? 1 : -1;
  return [...figures.keys()].sort((a, b) => sign * ((figures[a] ?? 0) - (figures[b] ?? 0)) || a - b);
}

/** The rank of a seat among some seats, from 1: one more than the number of better ones. */
export function rankOf(
  figures: readonly number[],
  seat: number,
  best: "low" | "high",
  among: readonly number[] = [...figures.keys()],
): number {
  const own = figures[seat] ?? 0;
  const better = (one: number): boolean => (best === "low" ? one < own : one > own);
  return 1 + among.filter((other) => better(figures[other] ?? 0)).length;
}

/** The other seats with the same figure. */
export function seatsTiedWith(
  figures: readonly number[],
  seat: number,
  among: readonly number[] = [...figures.keys()],
): number[] {
  return among.filter((other) => other !== seat && figures[other] === figures[seat]);
}
