import { describe, expect, it } from "vitest";
import dePage from "../../messages/de.json";
import enPage from "../../messages/en.json";
import frPage from "../../messages/fr.json";
import itPage from "../../messages/it.json";
import deShared from "../../../src/jasstisch/i18n/common/de.json";
import enShared from "../../../src/jasstisch/i18n/common/en.json";
import frShared from "../../../src/jasstisch/i18n/common/fr.json";
import itShared from "../../../src/jasstisch/i18n/common/it.json";

/** The page's own messages, and those that the terminal says too. */
const en = { ...enPage, ...enShared };
const all: Record<string, Record<string, string>> = {
  de: { ...dePage, ...deShared },
  fr: { ...frPage, ...frShared },
  it: { ...itPage, ...itShared },
  en,
};

const holes = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort();

const sources = Object.values(
  import.meta.glob<string>(
    ["../**/*.svelte", "../**/*.ts", "../../scripts/linkPreviews.ts", "!./paraglide/**"],
    {
      query: "?raw",
      import: "default",
      eager: true,
    },
  ),
).join("\n");

describe("the messages", () => {
  it("stand in one of the two places", () => {
    expect(Object.keys(enPage).filter((key) => key in enShared)).toEqual([]);
  });

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
