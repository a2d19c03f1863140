import { afterEach, describe, expect, it } from "vitest";
import type { TableState } from "../../table/tableState";
import { settings } from "../../settings/settings.svelte";
import { parseInput } from "./parser";

/** A table at which these are the reader's legal actions. */
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

describe("parseInput for yes and no", () => {
  afterEach(() => (settings.locale = "en"));

  for (const [locale, yes, no] of ANSWERS) {
    it(`reads '${yes}' and '${no}' in ${locale} as answers to an undo request`, () => {
      settings.locale = locale;
      expect(parseInput(yes, table(), "french")).toEqual({ kind: "do", errand: "agree" });
      expect(parseInput(no, table(), "french")).toEqual({ kind: "do", errand: "decline" });
    });

    it(`reads '${yes}' and '${no}' in ${locale} as answers to a claim`, () => {
      settings.locale = locale;
      const asked = table("doubt", "pass");
      expect(parseInput(yes, asked, "french")).toEqual({ kind: "act", action: "doubt" });
      expect(parseInput(no, asked, "french")).toEqual({ kind: "act", action: "pass" });
    });
  }
});
