// The players of a finished match by team, named as elsewhere on the page.
import { countStrokes } from "../../games/strokes";
import type { PlayedMatch } from "../../api/messages";
import { minusSigned } from "../../i18n";
import { seatName } from "../../table/playerNames";

const BOT = "bot:";

export interface MatchTeam {
  names: string[];
  /** The team's standing; empty if the game has not published one. */
  standing: string;
  won: boolean;
  own: boolean;
}

/** The names of the players: bots by first name, muted players by seat number. */
export function playerNamesOf(match: Pick<PlayedMatch, "table" | "players" | "characters">): string[] {
  const { table, players, characters } = match;
  const seats = players.map((name, seat) => ({
    kind: name.startsWith(BOT) ? ("computer" as const) : ("person" as const),
    name,
    left: false,
    character: characters?.[seat] ?? null,
  }));
  return seats.map((_, seat) => seatName({ table, seats }, seat));
}

/** The sides of a match, the reader's own first. */
export function matchTeams(match: PlayedMatch): MatchTeam[] {
  const names = playerNamesOf(match);
  const sides = match.sides.map((seats) => ({
    names: seats.map((seat) => names[seat] ?? ""),
    standing: standingText(match.standing?.[seats[0] ?? 0]),
    won: seats.some((seat) => match.winners.includes(seat)),
    own: seats.includes(match.seat),
  }));
  return sides.sort((a, b) => Number(b.own) - Number(a.own));
}

/** A standing as text; of strokes on a slate, the number that counts. */
export function standingText(value: string | number | undefined): string {
  if (value === undefined) return "";
  if (typeof value === "number") return minusSigned(value);
  return /^[|0Ø]*$/.test(value) ? String(countStrokes(value).tallies) : value;
}
