// Loads what a game shows at its table. Games with a display of their own are found by their folders;
// all others get the generic display.
import type { OwnUi } from "./GameUi";
import { gameFolder } from "./gameFolder";
import { genericUi } from "./generic/genericUi";
import { hasGameUi, registerGameUi } from "./registry";

const FILES = import.meta.glob<{ gameUi: OwnUi }>("./*/gameUi.ts");

/** Loads the display of a game, once; rejects if it cannot be fetched. */
export async function loadGameUi(game: string): Promise<void> {
  if (hasGameUi(game)) return;
  const load = FILES[`./${gameFolder(game)}/gameUi.ts`] ?? (() => import("./generic/unknownGameUi"));
  registerGameUi(game, { ...genericUi, ...(await load()).gameUi });
}
