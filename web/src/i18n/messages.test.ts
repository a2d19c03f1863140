import { describe, expect, it } from "vitest";
import dePage from "../../messages/de.json";
import enPage from "../../messages/en.json";
import frPage from "../../messages/fr.json";
import itPage from "../../messages/it.json";
import deShared from "../../../src/jasstisch/i18n/common/de.json";
import enShared from "../../../src/jasstisch/i18n/common/en.json";
import frShared from "../../../src/jasstisch/i18n/common/fr.json";
import itShared from "../../../src/jasstisch/i18n/common/it.json";

/** The page's own messages, and those it shares with the terminal. */
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

describe("message files", () => {
  it("defines each message in only one of the two places", () => {
    expect(Object.keys(enPage).filter((key) => key in enShared)).toEqual([]);
  });

  it("contains no unused message", () => {
    const unused = Object.keys(en).filter((key) => !new RegExp(`\\bm\\.${key}\\b`).test(sources));
    expect(unused).toEqual([]);
  });
});

describe.each(Object.keys(all))("messages in %s", (locale) => {
  const messages = all[locale] ?? {};

  it("has the same messages as English, none of them empty", () => {
    expect(Object.keys(messages).sort()).toEqual(Object.keys(en).sort());
    for (const [key, text] of Object.entries(messages)) expect(text.trim(), key).not.toBe("");
  });

  it("has the same placeholders as English", () => {
    for (const [key, text] of Object.entries(en)) {
      expect(holes(messages[key] ?? ""), `${locale}: ${key}`).toEqual(holes(text));
    }
  });

  it("follows Swiss spelling and French spacing", () => {
    for (const [key, text] of Object.entries(messages)) {
      expect(text, key).not.toContain("ß");
      if (locale === "fr") expect(text, key).not.toMatch(/[^\u202f][;:!?»]|«[^\u202f]/);
    }
  });
});
