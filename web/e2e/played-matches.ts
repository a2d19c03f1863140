// A history of matches, as the server returns it.
import type { MatchHistoryPage, PlayedMatch } from "../src/api/messages";

const GAMES = ["schieber", "differenzler", "molotov"] as const;

/** A dozen matches of three games, as the server returns them. */
export function playedMatches(): MatchHistoryPage {
  const matches = Array.from({ length: 12 }, (_, index): PlayedMatch => {
    const game = GAMES[index % 3] ?? "schieber";
    return {
      table: `Table${index}`,
      match: 1,
      game,
      ended: new Date(Date.UTC(2026, 4, 31 - index, 20, 15)).toISOString(),
      players: ["Anna", "Reto", "bot:club", "bot:club"],
      seat: 0,
      winners: game === "schieber" ? [0, 2] : [1],
      sides:
        game === "schieber"
          ? [
              [0, 2],
              [1, 3],
            ]
          : [[0], [1], [2], [3]],
      standing: game === "molotov" ? ["||Ø", "|||||", "0", "|"] : [1012, 874, 1012, 874],
      lost: index % 2 ? 20 + index : null,
      decisions: index % 2 ? 50 : null,
    };
  });
  const given = matches.flatMap(({ table, match, game, ended, lost, decisions }) =>
    lost === null || decisions === null ? [] : [{ table, match, game, ended, lost, decisions }],
  );
  const unit = { unit: "points", unit_text: "points", digits: 1 };
  return {
    matches,
    next: null,
    unread: 0,
    whole: true,
    games: GAMES.map((game) => ({
      game,
      matches: 4,
      won: game === "schieber" ? 4 : 0,
      mean: 42.5,
      unit_text: "points",
      digits: 1,
      high_is_good: game === "schieber",
    })),
    given: [{ ...unit, matches: given.toReversed() }],
  };
}
