// Texts shared with the Python package, fetched on demand in one language; the terminal prints the same.
import { settings, type Locale } from "../../settings/settings.svelte.ts";

type Sections = Record<string, Record<string, string>>;
type Files = Record<string, () => Promise<Sections>>;

class TutorialAndAnalysisTexts {
  #loaded = $state.raw<Partial<Record<Locale, Sections>>>({});
  #asked = new Set<Locale>();

  /** @param files the texts of each language, by file path */
  constructor(private readonly files: Files) {}

  /** A text in the chosen language, by section and name: `molotov.trump`; null until it is loaded. */
  text(id: string): string | null {
    const { locale } = settings;
    void this.#load(locale);
    const [section = "", name = ""] = id.split(".");
    return this.#loaded[locale]?.[section]?.[name] ?? null;
  }

  async #load(locale: Locale): Promise<void> {
    if (this.#asked.has(locale)) return;
    this.#asked.add(locale);
    const file = Object.entries(this.files).find(([path]) => path.endsWith(`/${locale}.json`))?.[1];
    try {
      if (file) this.#loaded = { ...this.#loaded, [locale]: await file() };
    } catch {
      // The connection may be down for a moment; the next text tries again.
      this.#asked.delete(locale);
    }
  }
}

/** The texts of the tutorials. */
export const tutorialTexts = new TutorialAndAnalysisTexts(
  import.meta.glob<Sections>("../../../../src/jasstisch/tutorials/texts/*.json", {
    import: "default",
  }),
);

/** Why an action is good or bad: the reasons of a hint. */
export const analysisTexts = new TutorialAndAnalysisTexts(
  import.meta.glob<Sections>("../../../../src/jasstisch/analysis/texts/*.json", {
    import: "default",
  }),
);
