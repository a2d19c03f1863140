// Loads what a game shows at its table. Games with a display of their own are found by their folders;
// all others get the generic display.
import type { OwnUi } from "./GameUi";
import { genericUi } from "./generic/genericUi";
import { hasGameUi, registerGameUi } from "./registry";

/** The game with the id `jass` is Handjass, after which its folder is named. */
const FOLDERS: Record<string, string> = { jass: "handjass" };

const FILES = import.meta.glob<{ gameUi: OwnUi }>("./*/gameUi.ts");

/** Loads the display of a game, once; rejects if it cannot be fetched. */
export async function loadGameUi(game: string): Promise<void> {
  if (hasGameUi(game)) return;
  const load = FILES[`./${FOLDERS[game] ?? game}/gameUi.ts`] ?? (() => import("./generic/unknownGameUi"));
  registerGameUi(game, { ...genericUi, ...(await load()).gameUi });
}
