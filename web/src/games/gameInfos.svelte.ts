// The games of the server with their options, each fetched when it is needed.
import type { GameInfo } from "../api/messages";
import { fetchOnce } from "../api/fetchOnce";
import { getGame } from "../api/rest";

class GameInfoStore {
  #known = $state.raw<Record<string, GameInfo>>({});

  /** A game as it is known; undefined until `load` has brought it. */
  of(game: string): GameInfo | undefined {
    return this.#known[game];
  }

  /** Fetches a game once; rejects with a `ServerError`, and the next call tries again. */
  readonly load = fetchOnce((game: string) => this.refresh(game));

  /** Fetches a game again: its bots may be ready by now. Rejects with a `ServerError`. */
  async refresh(game: string): Promise<GameInfo> {
    const found = await getGame(game);
    this.#known = { ...this.#known, [game]: found };
    return found;
  }
}

export const gameInfos = new GameInfoStore();
