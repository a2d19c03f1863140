// Parses a line typed at the text table into a legal action, a query, a page command, or the reason why it
// is none of these. Pure; only legal actions are ever returned as actions.
import { playedCard } from "../../cards/cards";
import { m } from "../../i18n";
import type { Turn } from "../../api/messages";
import type { TableState } from "../../table/tableState";
import type { Deck } from "../../settings/settings.svelte";
import { matchActions, matchExactAction, matchIllegalActions } from "./actionParser";
import { matchCards } from "./cardParser";
import {
  parseCommand,
  commandWords,
  PAGE_COMMANDS,
  commandSynonyms,
  cardInWhyQuery,
  type PageCommand,
  type Query,
} from "./commands";
import { matchLay } from "./doubtClaimParser";
import { normalizeText, closestMatch, splitWords } from "./fuzzyMatch";
import { illegalActionText, actionName } from "./actionText";
import { parseCardInput, type CardInput } from "./defaultVerbs";

export type ParsedInput =
  | { kind: "nothing" }
  | { kind: "act"; action: string }
  /** `about`: the subject of a question, such as a card. */
  | { kind: "ask"; question: Query; about: string | null }
  | { kind: "do"; errand: PageCommand }
  /** The input was understood, but is not legal; `text` says why. */
  | { kind: "refused"; text: string }
  /** The input is ambiguous. */
  | { kind: "which"; meant: string[] }
  | { kind: "unknown"; near: string | null };

/** Parses a text at the table in its current state. */
export function parseInput(text: string, table: TableState, deck: Deck): ParsedInput {
  if (text.trim() === "") return { kind: "nothing" };
  return (
    exact(text, table) ??
    yesOrNo(text, table) ??
    command(text) ??
    lay(text, table, deck) ??
    action(text, table, deck) ??
    card(text, table, deck) ??
    impossible(text, table, deck) ?? {
      kind: "unknown",
      near: closestMatch(text, [...commandWords(), ...spoken(table, deck)]),
    }
  );
}

/** Commands that need the server, or a state that is unknown while disconnected. */
const CURRENT: ReadonlySet<Query | PageCommand> = new Set([
  "turn",
  "time",
  "why",
  "next",
  "rest",
  "undo",
  "agree",
  "decline",
  "hint",
]);

/** Whether an input needs a connection. */
export function needsConnection(entry: ParsedInput): boolean {
  if (entry.kind === "ask") return CURRENT.has(entry.question);
  if (entry.kind === "do") return CURRENT.has(entry.errand);
  return entry.kind === "act" || entry.kind === "refused";
}

/** A legal action in its text form, long or short. */
function exact(text: string, { turn }: TableState): ParsedInput | null {
  const found = matchExactAction(text, turn?.legal ?? []);
  return found === null ? null : play(found, { weis: null, skipsRobbing: false }, turn);
}

/**
 * An action, or why it needs a decision first: Weis are announced unless the input declines (JS7), and robbing is
 * lost with the first card (JS5).
 */
function play(
  action: string,
  { weis, skipsRobbing }: Pick<CardInput, "weis" | "skipsRobbing">,
  turn: Turn | null,
): ParsedInput {
  const legal = turn?.legal ?? [];
  if (playedCard(action) !== null && legal.includes("rob") && !skipsRobbing) {
    return {
      kind: "refused",
      text: m.text_rob_first({ word: commandSynonyms(m.text_word_without)[0] ?? "" }),
    };
  }
  const announced = `${action} weis`;
  return { kind: "act", action: weis !== false && legal.includes(announced) ? announced : action };
}

/** Yes or no to a claim, when the reader may doubt it. */
function yesOrNo(text: string, { turn }: TableState): ParsedInput | null {
  const legal = turn?.legal ?? [];
  const said = (message: typeof m.text_word_yes): boolean =>
    commandSynonyms(message).map(normalizeText).includes(normalizeText(text));
  if (legal.includes("doubt") && said(m.text_word_yes)) return { kind: "act", action: "doubt" };
  if (legal.includes("pass") && said(m.text_word_no)) return { kind: "act", action: "pass" };
  return null;
}

function command(text: string): ParsedInput | null {
  const about = cardInWhyQuery(text);
  if (about !== null) return { kind: "ask", question: "why", about };
  const found = parseCommand(text);
  if (found === null) return null;
  const errand = PAGE_COMMANDS.find((one) => one === found);
  if (errand) return { kind: "do", errand };
  return { kind: "ask", question: found as Query, about: null };
}

function lay(text: string, table: TableState, deck: Deck): ParsedInput | null {
  const meant = matchLay(text, table, deck);
  if (meant === null) return null;
  if ("text" in meant) return { kind: "refused", text: meant.text };
  return { kind: "act", action: meant.action };
}

/** A legal action by the words of its label. */
function action(text: string, { turn, room }: TableState, deck: Deck): ParsedInput | null {
  const choices = (turn?.legal ?? []).filter((one) => playedCard(one) === null);
  return one(matchActions(text, choices, room.game, deck), deck, room.game);
}

/** A card to play, by its name or its letters, with Weis if that was typed. */
function card(text: string, table: TableState, deck: Deck): ParsedInput | null {
  const said = parseCardInput(splitWords(text), table.room.game);
  const cards = matchCards(said.words.join(" "), table.view?.hand ?? [], deck);
  const suffix = said.weis ? " weis" : "";
  const plays = cards.map((one) => `play ${one}${suffix}`);
  const [only] = plays;
  if (only === undefined) return null;
  if (plays.length > 1)
    return { kind: "which", meant: cards.map((one) => actionName(table.room.game, `play ${one}`, deck)) };
  if (table.turn?.legal.includes(only)) return play(only, said, table.turn);
  return { kind: "refused", text: illegalActionText(only, table, deck) };
}

/** A known action that is not legal now. */
function impossible(text: string, table: TableState, deck: Deck): ParsedInput | null {
  const [known] = matchActions(text, matchIllegalActions(text, table), table.room.game, deck);
  return known === undefined ? null : { kind: "refused", text: illegalActionText(known, table, deck) };
}

function one(actions: readonly string[], deck: Deck, game: string): ParsedInput | null {
  const [only] = actions;
  if (only === undefined) return null;
  if (actions.length === 1) return { kind: "act", action: only };
  return { kind: "which", meant: actions.map((action) => actionName(game, action, deck)) };
}

/** The legal actions as code and label, to suggest one that is close to the input. */
function spoken({ turn, room }: TableState, deck: Deck): string[] {
  const worded = (turn?.legal ?? []).filter((action) => !/^(bid|lay) /.test(action));
  return worded.flatMap((action) => [action, actionName(room.game, action, deck)]);
}

/** The answer to an input that was not understood. */
export function notUnderstoodText(text: string, near: string | null, help: string): string {
  const unknown = m.text_unknown({ text });
  return `${unknown} ${near === null ? m.text_ask_help({ word: help }) : m.text_near({ text: near })}`;
}
