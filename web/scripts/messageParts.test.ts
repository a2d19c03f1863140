import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { partsOfMessages } from "./messageParts";

describe("partsOfMessages", () => {
  const partOf = partsOfMessages("src");

  it("puts what the start page shows first, then what a table or a game shows", () => {
    for (const key of ["skip_to_content", "choose_game", "seats_free_n"]) expect(partOf(key)).toBe("start");
    for (const key of ["leave_table", "suit_french_s", "claim_which"]) expect(partOf(key)).toBe("table");
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

  it("leaves for later what is shown only after a panel is opened", () => {
    for (const key of ["preview_title", "text_entry", "sound_loud"]) expect(partOf(key)).toBe("later");
  });
});
