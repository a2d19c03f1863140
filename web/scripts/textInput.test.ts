// Tries what people type at the text table at the decisions of matches played by the engine.
import { describe, expect, it } from "vitest";
import { playedCard, SUITS } from "../src/cards/cards";
import { deckForGame } from "../src/cards/deckDesign";
import { cardName, suitName } from "../src/cards/cardNames";
import { richTextToString } from "../src/cards/richTextToString";
import { actionLabel } from "../src/games/actionLabels";
import { gameTexts } from "../src/i18n/gameTexts.svelte";
import { parseLayAction } from "../src/table/suggestedAction";
import { locales } from "../src/i18n";
import type { RoomInfo, Turn, View } from "../src/api/messages";
import type { TableState } from "../src/table/tableState";
import { settings, type Deck } from "../src/settings/settings.svelte";
import { answerQuery } from "../src/features/text-mode/queries";
import { parseCommand, commandWords, QUERIES } from "../src/features/text-mode/commands";
import { parseInput } from "../src/features/text-mode/parser";
import { splitWords } from "../src/features/text-mode/fuzzyMatch";
import { python } from "./python.mjs";

interface Moment {
  view: View;
  turn: Turn;
}

const moments = JSON.parse(python("web/scripts/sample_decisions.py")) as Record<string, Moment[]>;
const games = Object.keys(moments);

function tableOf({ view, turn }: Moment): TableState {
  const sides =
    view.game === "schieber" || view.game === "coiffeur"
      ? [
          [0, 2],
          [1, 3],
        ]
      : [];
  const seats = view.players.map((_, seat) => ({ kind: "person", name: `Seat${seat}` }));
  const room = { game: view.game, options: view.options, phase: "playing", seats, sides, match_time: null };
  return { seat: 0, view, turn, room: room as unknown as RoomInfo, hint: null } as unknown as TableState;
}

const tables = games.flatMap((game) => (moments[game] ?? []).map(tableOf));
/** Every language, each with one deck; each deck is used by two languages. */
const looks = locales.map((locale, place) => ({
  locale,
  deck: place % 2 ? ("french" as const) : ("swiss" as const),
}));

/** Inputs that the parser must read as this action. */
function ways(action: string, legal: readonly string[], game: string, deck: Deck): string[] {
  const card = playedCard(action);
  if (card) {
    // Weis are announced unless the reader declines it.
    const weis = action.endsWith(" weis");
    const declines = !weis && legal.includes(`${action} weis`) ? " without" : "";
    const cards = [action.replace(/ weis$/, ""), card, ` ${card.toLowerCase()} `, cardName(card, deck)];
    const silent = cards.map((one) => `${one}${declines}`);
    return weis ? [...silent, ...cards.map((one) => `${one} weis`)] : silent;
  }
  if (action.startsWith("bid ")) return [action, action.slice("bid ".length), action.toUpperCase()];
  const lay = parseLayAction(action);
  if (lay) return [action, `${lay.cards.map((one) => cardName(one, deck)).join(", ")} as ${lay.rank}`];
  const label = richTextToString(actionLabel(game, action), deck);
  return [action, action.toUpperCase(), label, splitWords(label).reverse().join(" ")];
}

describe.each(looks)(
  "parseInput and answerQuery at every decision, in $locale with $deck cards",
  ({ locale, deck: chosen }) => {
    it("understands each legal action as written in the protocol and by its label", () => {
      settings.locale = locale;
      for (const table of tables) {
        const { game } = table.room;
        const deck = deckForGame(game, chosen);
        const legal = table.turn?.legal ?? [];
        // Thousands of claims and bids differ only in their numbers, so a sample is enough.
        for (const action of legal.filter((_, place) => legal.length < 60 || place % 41 === 0)) {
          for (const way of ways(action, legal, game, deck)) {
            expect([way, parseInput(way, table, deck)]).toEqual([way, { kind: "act", action }]);
          }
        }
      }
    });

    it("never reads other text as an illegal action, and gives a reason when it refuses", () => {
      settings.locale = locale;
      for (const table of tables.filter((_, place) => place % 31 === 0)) {
        const { game } = table.room;
        const deck = deckForGame(game, chosen);
        const legal = table.turn?.legal ?? [];
        const others = tables
          .filter(({ room }) => room.game === game)
          .flatMap(({ turn }) => turn?.legal ?? []);
        const every = [...new Set(others)].filter((_, place) => place % 97 === 0);
        const cards = SUITS.flatMap((suit) => [..."6789TJQKA"].map((rank) => rank + suit));
        for (const text of [...every, ...cards, "bid 158", "doubt it", "push push", "x", "lay"]) {
          const entry = parseInput(text, table, deck);
          if (entry.kind === "act" && !(table.turn?.more && entry.action.startsWith("lay "))) {
            expect(legal, text).toContain(entry.action);
          }
          if (entry.kind === "refused") expect(entry.text.length, text).toBeGreaterThan(10);
        }
      }
    });

    it("answers every query without missing values", () => {
      settings.locale = locale;
      for (const table of tables.filter((_, place) => place % 7 === 0)) {
        const deck = deckForGame(table.room.game, chosen);
        for (const question of QUERIES) {
          const lines = answerQuery(question, { state: table, deck, refusal: null, seconds: 30 });
          expect(lines.length, question).toBeGreaterThan(0);
          for (const line of lines) expect(line, question).not.toMatch(/\b(undefined|null|NaN)\b|\{|\.\.$/);
        }
      }
    });
  },
);

describe.each(locales)("parseCommand in %s", (locale) => {
  it("maps each command word to one command and matches no action of any game", () => {
    settings.locale = locale;
    const said = commandWords();
    const folded = said.map((word) => splitWords(word).join(" "));
    for (const [place, word] of folded.entries()) {
      const command = parseCommand(word);
      expect(command, word).not.toBeNull();
      const same = folded.flatMap((other, at) => (other === word ? [said[at]] : []));
      expect(new Set(same.map((one) => parseCommand(one ?? ""))).size, said[place]).toBe(1);
    }
    for (const game of games) {
      for (const action of Object.keys(gameTexts.of(game)?.actions ?? {})) {
        for (const deck of ["swiss", "french"] as const) {
          expect(parseCommand(action)).toBeNull();
          expect(parseCommand(richTextToString(actionLabel(game, action), deck))).toBeNull();
        }
      }
    }
  });

  it("accepts the English commands as well", () => {
    settings.locale = locale;
    for (const [text, command] of [
      ["hand", "hand"],
      ["why", "why"],
      ["go on", "next"],
      ["?", "help"],
    ]) {
      expect(parseCommand(text ?? "")).toBe(command);
    }
  });
});

describe("parseInput for a trump announcement", () => {
  it("accepts a suit on its own, in the page's language or in English", () => {
    settings.locale = "de";
    const announcing = tables.find(
      ({ room, view }) => room.game === "schieber" && view?.phase === "announce",
    );
    expect(announcing).toBeDefined();
    if (!announcing) return;
    for (const text of [suitName("H", "swiss"), "roses", "trump roses", "Trumpf Rosen", "trump h"]) {
      expect(parseInput(text, announcing, "swiss")).toEqual({ kind: "act", action: "trump H" });
    }
  });
});
