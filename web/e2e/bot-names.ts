// The names of bots at a table, which are derived from the table and the seat.
import { botPersonas } from "../src/table/botPersonas";
import type { SeatInfo } from "../src/api/messages";

/** The name of a bot on this seat, if nobody else at the table has that name. */
export function botNameAt(table: string, seat: number, players = 4): string {
  const computer: SeatInfo = {
    kind: "computer",
    name: "bot:greedy",
    bot: "greedy",
    left: false,
    away: false,
    ready: false,
    asks: null,
  };
  const seats = Array.from({ length: players }, () => computer);
  return botPersonas({ table, seats })[seat]?.name ?? "";
}
