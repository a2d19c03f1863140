// The positions of seats on the screen. The reader sits at the bottom; play runs anticlockwise unless a
// house rule says otherwise, which changes only the picture (C4).
export type Direction = "anticlockwise" | "clockwise";

/** A point of the mat: 0,0 its middle, x to the right, y downwards, the border at ±1. */
export interface MatPoint {
  x: number;
  y: number;
}

/** The number of seats from the bottom seat to a seat, in the order of play. */
export function seatOffset(seat: number, bottom: number, players: number): number {
  return (seat - bottom + players) % players;
}

/** Direction from the middle of the table to the seat `after` seats after the one at the bottom. */
export function seatDirection(after: number, players: number, direction: Direction): MatPoint {
  const turn = (2 * Math.PI * after) / players;
  const x = Math.sin(turn) * (direction === "anticlockwise" ? 1 : -1);
  return { x: rounded(x), y: rounded(Math.cos(turn)) };
}

/** The place of a seat along the border of the mat: between an ellipse and a rectangle. */
export function seatPosition(after: number, players: number, direction: Direction): MatPoint {
  const { x, y } = seatDirection(after, players, direction);
  const length = (Math.abs(x) ** 4 + Math.abs(y) ** 4) ** 0.25;
  return { x: rounded(x / length), y: rounded(y / length) };
}

/**
 * The positions of the piles next to the trick, in cards from its centre: at seats where nobody plays any
 * more, or in the space left free at a table of two or three.
 */
export function stockPositions(
  free: readonly number[],
  bottom: number,
  players: number,
  direction: Direction,
): MatPoint[] {
  const seats = free.map((seat) => {
    const { x, y } = seatDirection(seatOffset(seat, bottom, players), players, direction);
    return { x: x * 1.12, y: y * 1.12 };
  });
  if (players === 2)
    return [
      { x: -1.65, y: 0 },
      { x: 1.65, y: 0 },
    ];
  return players === 3 ? [{ x: 0, y: -1.85 }, ...seats] : seats;
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000 + 0;
}
