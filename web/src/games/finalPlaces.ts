// The places at the end of a match. Pure.

/** The figure of a standing that ranks the seats of a match. */
export interface MatchFigure {
  key: string;
  best: "low" | "high";
}

export interface FinalPlace {
  /** From 1; equal seats have the same. */
  place: number;
  /** The seats of the side, or the single seat. */
  seats: readonly number[];
  figure: number;
}

/**
 * The sides of a match from the first place to the last, equal ones in order of play.
 *
 * The winners come first even where others have the same figure: a last round may decide between these (MV10).
 *
 * @param standing - the standing of each seat.
 * @param sides - the seats of each side.
 * @param winners - the seats that have won.
 * @returns none if a seat lacks the figure.
 */
export function finalPlaces(
  standing: readonly object[],
  sides: readonly (readonly number[])[],
  winners: readonly number[],
  { key, best }: MatchFigure,
): FinalPlace[] {
  const found = sides.map((seats) => {
    const figure = (standing[seats[0] ?? 0] as Record<string, unknown> | undefined)?.[key];
    return { seats, figure, won: seats.some((seat) => winners.includes(seat)) };
  });
  if (!found.every((one): one is typeof one & { figure: number } => typeof one.figure === "number"))
    return [];
  const ahead = (one: (typeof found)[number], other: (typeof found)[number]): boolean =>
    one.won === other.won
      ? best === "low"
        ? one.figure < other.figure
        : one.figure > other.figure
      : one.won;
  return found
    .map((one) => ({
      place: 1 + found.filter((other) => ahead(other, one)).length,
      seats: one.seats,
      figure: one.figure,
    }))
    .sort((a, b) => a.place - b.place);
}
