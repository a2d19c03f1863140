// The list of games as the server provides it in a language: their names, players and emblems. Fetched once
// for each language; while a new one is loading the previous one stays.
import type { GameSummary } from "../api/messages";
import { fetchOnce } from "../api/fetchOnce";
import { getCatalogue } from "../api/rest";
import { pageConfig } from "../settings/pageConfig";
import { settings, type Locale } from "../settings/settings.svelte";

class Catalogue {
  #loaded = $state.raw<Partial<Record<Locale, readonly GameSummary[]>>>({});
  #last = $state.raw<readonly GameSummary[]>([]);
  readonly #fetch = fetchOnce(async (locale: Locale) => {
    this.#last = await getCatalogue(locale, pageConfig.texts);
    this.#loaded = { ...this.#loaded, [locale]: this.#last };
  });

  /** The games in the chosen language, the best known first; none until the list has come. */
  get games(): readonly GameSummary[] {
    return this.#loaded[settings.locale] ?? this.#last;
  }

  /** A game of the list; undefined until it has come, which this call brings about. */
  of(game: string): GameSummary | undefined {
    this.load().catch(() => undefined);
    return this.games.find((one) => one.name === game);
  }

  /** Fetches the list once; rejects with a `ServerError`, and the next call tries again. */
  load(locale: Locale = settings.locale): Promise<void> {
    return this.#fetch(locale);
  }
}

export const catalogue = new Catalogue();
