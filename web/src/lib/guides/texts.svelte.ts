// The texts of the guided rounds, fetched when somebody learns and in his language alone. Their one
// source is the Python package, whose terminal prints the same.
import { settings, type Locale } from "../settings.svelte";

type Sections = Record<string, Record<string, string>>;

const FILES = import.meta.glob<Sections>("../../../../src/jasstisch/guides/texts/*.json", {
  import: "default",
});

class GuideTexts {
  #loaded = $state.raw<Partial<Record<Locale, Sections>>>({});
  #asked = new Set<Locale>();

  /** The text of a hint in the chosen language; null until it has come. */
  text(id: string): string | null {
    const { locale } = settings;
    void this.#load(locale);
    const [section = "", name = ""] = id.split(".");
    return this.#loaded[locale]?.[section]?.[name] ?? null;
  }

  async #load(locale: Locale): Promise<void> {
    if (this.#asked.has(locale)) return;
    this.#asked.add(locale);
    const file = Object.entries(FILES).find(([path]) => path.endsWith(`/${locale}.json`))?.[1];
    try {
      if (file) this.#loaded = { ...this.#loaded, [locale]: await file() };
    } catch {
      // The connection may be gone for a moment; the next hint asks again.
      this.#asked.delete(locale);
    }
  }
}

export const guideTexts = new GuideTexts();
