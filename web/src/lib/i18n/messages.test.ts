import { describe, expect, it } from "vitest";
import de from "../../../messages/de.json";
import en from "../../../messages/en.json";
import fr from "../../../messages/fr.json";
import it_ from "../../../messages/it.json";

const all: Record<string, Record<string, string>> = { de, fr, it: it_, en };

const holes = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort();

const sources = Object.values(
  import.meta.glob<string>(["../../**/*.svelte", "../../**/*.ts", "../../../scripts/previews.ts", "!../paraglide/**"], {
    query: "?raw",
    import: "default",
    eager: true,
  }),
).join("\n");

describe("the messages", () => {
  it("are all used", () => {
    const unused = Object.keys(en).filter((key) => !new RegExp(`\\bm\\.${key}\\b`).test(sources));
    expect(unused).toEqual([]);
  });
});

describe.each(Object.keys(all))("the messages in %s", (locale) => {
  const messages = all[locale] ?? {};

  it("are the same as in English, none empty", () => {
    expect(Object.keys(messages).sort()).toEqual(Object.keys(en).sort());
    for (const [key, text] of Object.entries(messages)) expect(text.trim(), key).not.toBe("");
  });

  it("speak of the same things", () => {
    for (const [key, text] of Object.entries(en)) {
      expect(holes(messages[key] ?? ""), `${locale}: ${key}`).toEqual(holes(text));
    }
  });

  it("follow the Swiss way of writing", () => {
    for (const [key, text] of Object.entries(messages)) {
      expect(text, key).not.toContain("ß");
      if (locale === "fr") expect(text, key).not.toMatch(/[^\u202f][;:!?»]|«[^\u202f]/);
    }
  });
});
