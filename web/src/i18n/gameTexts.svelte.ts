// The texts of games as the server provides them, fetched once for each game and language when they are
// needed. While a new language is loading the previous one stays.
import { untrack } from "svelte";
import type { GameTexts } from "../api/messages";
import { fetchOnce } from "../api/fetchOnce";
import { getGameTexts } from "../api/rest";
import { pageConfig } from "../settings/pageConfig";
import { settings, type Locale } from "../settings/settings.svelte";

type TextsByGame = Record<string, GameTexts>;

class GameTextStore {
  #loaded = $state.raw<Partial<Record<Locale, TextsByGame>>>({});
  #last = $state.raw<TextsByGame>({});
  readonly #fetch = fetchOnce(async (key: `${Locale}/${string}`) => {
    const [locale, game] = key.split("/") as [Locale, string];
    this.set(locale, game, await getGameTexts(game, locale, pageConfig.texts));
  });

  /** The texts of a game in the chosen language; undefined if it has none, or until they have come. */
  of(game: string): GameTexts | undefined {
    void this.load(game);
    return this.known(game);
  }

  /** The same, but only if they are known already. */
  known(game: string): GameTexts | undefined {
    return this.#loaded[settings.locale]?.[game] ?? this.#last[game];
  }

  /** Fetches the texts of a game once; after a failure, which is not reported, the next call tries again. */
  async load(game: string, locale: Locale = settings.locale): Promise<void> {
    if (untrack(() => this.#loaded[locale]?.[game])) return;
    await this.#fetch(`${locale}/${game}`).catch(() => undefined);
  }

  /** Sets the texts of a game in a language. */
  set(locale: Locale, game: string, texts: GameTexts): void {
    this.#loaded = { ...this.#loaded, [locale]: { ...this.#loaded[locale], [game]: texts } };
    this.#last = { ...this.#last, [game]: texts };
  }
}

export const gameTexts = new GameTextStore();
