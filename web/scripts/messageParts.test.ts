import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { initialMessageKeys } from "./messageParts";

describe("initialMessageKeys", () => {
  const first = initialMessageKeys("src");

  it("includes the messages of the page, of the table and of every game", () => {
    for (const key of ["skip_to_content", "leave_table", "suit_french_s", "claim_which"]) {
      expect(first).toContain(key);
    }
  });

  it("sees every use of a message, as no source aliases, indexes or destructures m", () => {
    const names = readdirSync("src", { recursive: true, encoding: "utf8" });
    const sources = names.filter((name) => /\.(svelte|ts)$/.test(name) && !name.includes("paraglide"));
    const found = sources.filter((name) => {
      const text = readFileSync(`src/${name}`, "utf8");
      return /\bm as \w|\bm\[|\{[^}]*\} = m\b/.test(text) && !name.endsWith("messageLoader.svelte.ts");
    });
    expect(found).toEqual([]);
  });

  it("excludes messages that are shown only after a panel is opened", () => {
    for (const key of ["preview_title", "own_title", "text_entry", "sound_loud"])
      expect(first).not.toContain(key);
  });
});
