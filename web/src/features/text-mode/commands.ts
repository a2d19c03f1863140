// The commands of the text table other than game actions, in the language of the page and in English.
import { m } from "../../i18n";
import { settings } from "../../settings/settings.svelte";
import { normalizeText, synonyms } from "./fuzzyMatch";

/** Queries about the table. */
export const QUERIES = [
  "hand",
  "trick",
  "last",
  "turn",
  "trump",
  "score",
  "players",
  "time",
  "why",
  "help",
] as const;
/** Commands to the page. */
export const PAGE_COMMANDS = [
  "next",
  "rest",
  "undo",
  "agree",
  "decline",
  "hint",
  "rules",
  "settings",
  "picture",
  "leave",
] as const;

export type Query = (typeof QUERIES)[number];
export type PageCommand = (typeof PAGE_COMMANDS)[number];
export type Command = Query | PageCommand;

type Message = (words?: Record<string, never>, options?: { locale?: "en" }) => string;

const COMMAND_WORDS: Record<Command, Message> = {
  hand: m.text_word_hand,
  trick: m.text_word_trick,
  last: m.text_word_last,
  turn: m.text_word_turn,
  trump: m.text_word_trump,
  score: m.text_word_score,
  players: m.text_word_players,
  time: m.text_word_time,
  why: m.text_word_why,
  next: m.text_word_next,
  rest: m.text_word_rest,
  undo: m.text_word_undo,
  agree: m.text_word_agree,
  decline: m.text_word_decline,
  hint: m.text_word_hint,
  rules: m.text_word_rules,
  settings: m.text_word_settings,
  picture: m.text_word_picture,
  leave: m.text_word_leave,
  help: m.text_word_help,
};

/** A description of each command. */
const COMMAND_HELP: Record<Command, () => string> = {
  hand: m.text_about_hand,
  trick: m.text_about_trick,
  last: m.text_about_last,
  turn: m.text_about_turn,
  trump: m.text_about_trump,
  score: m.text_about_score,
  players: m.text_about_players,
  time: m.text_about_time,
  why: m.text_about_why,
  next: m.text_about_next,
  rest: m.text_about_rest,
  undo: m.text_about_undo,
  agree: m.text_about_agree,
  decline: m.text_about_decline,
  hint: m.text_about_hint,
  rules: m.text_about_rules,
  settings: m.text_about_settings,
  picture: m.text_about_picture,
  leave: m.text_about_leave,
  help: m.text_about_help,
};

const COMMANDS = Object.keys(COMMAND_WORDS) as Command[];

/** All synonyms in a message: in the language of the page, then in English. */
export function commandSynonyms(message: Message): string[] {
  return [...synonyms(message()), ...synonyms(message({}, { locale: "en" }))];
}

const calls = new Map<string, Map<string, Command>>();

/** The commands by all their words, cached for each language. */
function byWords(): Map<string, Command> {
  const known =
    calls.get(settings.locale) ??
    new Map(
      COMMANDS.flatMap((command) =>
        commandSynonyms(COMMAND_WORDS[command]).map((way): [string, Command] => [
          normalizeText(way),
          command,
        ]),
      ),
    );
  calls.set(settings.locale, known);
  return known;
}

/** The word for a command in help texts. */
export function commandWord(command: Command): string {
  return synonyms(COMMAND_WORDS[command]())[0] ?? command;
}

/** All words by which commands may be called. */
export function commandWords(): string[] {
  return COMMANDS.flatMap((command) => commandSynonyms(COMMAND_WORDS[command]));
}

/** The command that a text names; null for other text. */
export function parseCommand(text: string): Command | null {
  if (text.trim() === "?") return "help";
  return byWords().get(normalizeText(text)) ?? null;
}

/** The subject of a `why` query, as typed: `JC` in `why JC`; null for other text. */
export function cardInWhyQuery(text: string): string | null {
  const [first, ...about] = text.trim().split(/\s+/);
  if (about.length === 0 || parseCommand(first ?? "") !== "why") return null;
  return about.join(" ");
}

/** A help line for each command: its word and its description. */
export function commandHelp(): string[] {
  return Object.entries(COMMAND_HELP).map(([command, about]) => {
    return `${commandWord(command as Command)}: ${about()}`;
  });
}
