// What the operator of the server has configured for the page: its languages and a greeting. Fetched once
// before anything is drawn; without an answer the page has all languages and no greeting.
import { getSiteConfig as ask } from "../api/rest";
import { locales } from "./locales";
import { settings, type Locale } from "./settings.svelte";

export interface Greeting {
  text: string;
  lang: string;
}

class SiteConfig {
  #greetings = $state.raw<Readonly<Record<string, string>>>({});
  /** Whether the configuration has arrived or failed to load. */
  settled = $state(false);

  async load(): Promise<void> {
    try {
      const { languages, greeting } = await ask();
      settings.setOfferedLocales(
        languages.filter((one): one is Locale => locales.some((own) => own === one)),
      );
      this.#greetings = greeting;
    } catch {
      // Optional content must not keep people from the page.
    }
    this.settled = true;
  }

  /** The greeting in the reader's language, else in the operator's first; null if there is none. */
  get greeting(): Greeting | null {
    const lang = settings.locale in this.#greetings ? settings.locale : Object.keys(this.#greetings)[0];
    const text = lang === undefined ? undefined : this.#greetings[lang];
    return lang === undefined || text === undefined ? null : { text, lang };
  }
}

export const siteConfig = new SiteConfig();
