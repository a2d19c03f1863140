/** The game with the id `jass` is Handjass, after which its folder is named. */
const FOLDERS: Record<string, string> = { jass: "handjass" };

/** The folder here of a game with a display of its own. */
export function gameFolder(game: string): string {
  return FOLDERS[game] ?? game;
}
