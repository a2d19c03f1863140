// The games this page has a display for, found by their folders; any other game is shown as any. Each
// is loaded when a table plays it.
import { any } from "./generic/genericUi";
import type { Display } from "./GameUi";

const OWN = import.meta.glob<{ display: Partial<Display> }>("./*/gameUi.ts");

const loaded = new Map<string, Display>();

const fileOf = (game: string): string => `./${game}/gameUi.ts`;

/** Loads what a game shows at its table, once; rejects where it can't be had. */
export async function loadDisplay(game: string): Promise<void> {
  const load = OWN[fileOf(game)];
  if (load && !loaded.has(game)) loaded.set(game, { ...any, ...(await load()).display });
}

/** What a game shows at its table; one with a folder of its own has been loaded before. */
export function displayOf(game: string): Display {
  const display = loaded.get(game);
  if (!display && fileOf(game) in OWN) throw new Error(`the display of ${game} is not loaded`);
  return display ?? any;
}
