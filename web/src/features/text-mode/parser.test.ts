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

const HAND = ["7D", "8D", "9D", "KS"];
const JASS = {
  ...table("play 7D", "play KS", "play 7D weis", "play KS weis"),
  room: { game: "jass", phase: "playing", seats: [], undo: null },
  view: { game: "jass", hand: HAND, phase: "play" },
} as unknown as TableState;

describe("parseInput for the first card", () => {
  afterEach(() => (settings.locale = "en"));

  const act = (text: string, at = JASS): unknown => parseInput(text, at, "french");

  for (const text of ["7d", "play 7D", "7 of diamonds", "seven diamonds", "play 7d weis", "7d Weis"]) {
    it(`announces Weis with '${text}'`, () => {
      expect(act(text)).toEqual({ kind: "act", action: "play 7D weis" });
    });
  }

  for (const [locale, text] of [
    ["en", "7d without"],
    ["en", "play 7D without weis"],
    ["de", "7d ohne"],
    ["de", "Ecken 7 ohne Weis"],
    ["fr", "7d sans annonce"],
    ["it", "7d senza"],
  ] as const) {
    it(`keeps Weis back with '${text}' in ${locale}`, () => {
      settings.locale = locale;
      expect(act(text)).toEqual({ kind: "act", action: "play 7D" });
    });
  }

  const robbing = { ...JASS, turn: { legal: ["play 7D", "play 7D weis", "rob"], refused: {}, more: false } };

  it("says that robbing comes before the card, and that it can be left", () => {
    for (const text of ["7d", "7d weis", "7d without weis"]) {
      expect(act(text, robbing)).toEqual({
        kind: "refused",
        text: "You may rob first, with “rob”. To play without robbing, add “without” to the card.",
      });
    }
    expect(act("rob", robbing)).toEqual({ kind: "act", action: "rob" });
    expect(act("7d without rob", robbing)).toEqual({ kind: "act", action: "play 7D weis" });
    expect(act("7d without robbing", robbing)).toEqual({ kind: "act", action: "play 7D weis" });
    expect(act("7d without", robbing)).toEqual({ kind: "act", action: "play 7D" });
  });
});
