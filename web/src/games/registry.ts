// The displays of the games that this page has loaded (loadGameUi.ts).
import type { GameUi } from "./GameUi";

const loaded = new Map<string, GameUi>();

/** Whether the display of a game has been loaded. */
export function hasGameUi(game: string): boolean {
  return loaded.has(game);
}

/** Registers the display of a game. */
export function registerGameUi(game: string, ui: GameUi): void {
  loaded.set(game, ui);
}

/** The display of a game, which must have been loaded before. */
export function gameUiOf(game: string): GameUi {
  const ui = loaded.get(game);
  if (!ui) throw new Error(`the display of ${game} is not loaded`);
  return ui;
}
