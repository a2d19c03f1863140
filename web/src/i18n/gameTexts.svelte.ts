// The texts of all games as the server provides them in a language, fetched once per language. While a new
// language is loading the previous one stays.
import type { GameTexts } from "../api/messages";
import { getGameTexts } from "../api/rest";
import { settings, type Locale } from "../settings/settings.svelte";

type AllWords = Record<string, GameTexts>;

class GameTextStore {
  #loaded = $state.raw<Partial<Record<Locale, AllWords>>>({});
  #last = $state.raw<AllWords>({});
  #asked = new Map<Locale, Promise<void>>();
  /** Whether the first texts have arrived or failed to load, so that the page may be drawn. */
  loaded = $state(false);

  /** The texts of a game in the chosen language; undefined if it has none. */
  of(game: string): GameTexts | undefined {
    return this.all[game];
  }

  /** The texts of all games by name. */
  get all(): AllWords {
    void this.load(settings.locale);
    return this.#loaded[settings.locale] ?? this.#last;
  }

  /** Fetches the texts in a language once; after a failure the next call tries again. */
  load(locale: Locale): Promise<void> {
    const asked = this.#asked.get(locale) ?? this.#fetch(locale);
    this.#asked.set(locale, asked);
    return asked;
  }

  /** Sets the texts in a language. */
  set(locale: Locale, words: AllWords): void {
    this.#asked.set(locale, Promise.resolve());
    this.#loaded = { ...this.#loaded, [locale]: words };
    this.#last = words;
    this.loaded = true;
  }

  async #fetch(locale: Locale): Promise<void> {
    try {
      this.set(locale, await getGameTexts(locale));
    } catch {
      // The server is temporarily unavailable; the next reader retries.
      this.#asked.delete(locale);
      this.loaded = true;
    }
  }
}

export const gameTexts = new GameTextStore();
