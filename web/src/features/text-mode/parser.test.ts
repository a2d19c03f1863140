import { afterEach, describe, expect, it } from "vitest";
import type { TableState } from "../../table/tableState";
import { settings } from "../../settings/settings.svelte";
import { parseInput } from "./parser";

/** A table at which the reader may do this. */
function table(...legal: string[]): TableState {
  return {
    seat: 0,
    room: { game: "i-doubt-it", phase: "playing", seats: [], undo: null },
    view: null,
    turn: legal.length > 0 ? { legal, refused: {}, more: false } : null,
  } as unknown as TableState;
}

const ANSWERS = [
  ["de", "ja", "nein"],
  ["fr", "oui", "non"],
  ["it", "sì", "no"],
  ["it", "si", "No"],
  ["en", "yes", "no"],
  ["de", "Yes", "no"],
] as const;

describe("yes and no at the text table", () => {
  afterEach(() => (settings.locale = "en"));

  for (const [locale, yes, no] of ANSWERS) {
    it(`are '${yes}' and '${no}' in ${locale} where somebody asks to undo`, () => {
      settings.locale = locale;
      expect(parseInput(yes, table(), "french")).toEqual({ kind: "do", errand: "agree" });
      expect(parseInput(no, table(), "french")).toEqual({ kind: "do", errand: "decline" });
    });

    it(`are '${yes}' and '${no}' in ${locale} where a claim may be doubted`, () => {
      settings.locale = locale;
      const asked = table("doubt", "pass");
      expect(parseInput(yes, asked, "french")).toEqual({ kind: "act", action: "doubt" });
      expect(parseInput(no, asked, "french")).toEqual({ kind: "act", action: "pass" });
    });
  }
});
