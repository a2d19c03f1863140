/** The game that the start page begins with: the last one if it is still offered, else the first. */
export function firstGame(games: readonly string[], last: unknown): string {
  return games.find((one) => one === last) ?? games[0] ?? "";
}
