// What is chosen on the start page, and the table that it asks the server for.
import type { GameInfo, NewTable, OptionInfo } from "../api/messages";
import type { ThinkingTime } from "../table/timeOptions";
import {
  defaultAt,
  hasEffect,
  optionLabel,
  valueAtTable,
  valuesOf,
  type Value,
} from "../i18n/gameLabels";

export type Chosen = Record<string, Value>;

/** The options that set a game's length and stand beside the number of players. */
export const LENGTH_OPTIONS: readonly string[] = ["target", "rounds"];

/** Whether an option is one of them, with numbers to turn up and down. */
export function setsLength(option: OptionInfo): boolean {
  return (
    LENGTH_OPTIONS.includes(option.name) &&
    valuesOf(option, 0).every((value) => typeof value === "number")
  );
}

/** Every option of a game: as given, or what holds at a table for so many players. */
export function complete(game: GameInfo, given: Chosen = {}): Chosen {
  const usual = game.options.find(({ name }) => name === "players")?.default;
  const players = Number(given.players ?? usual);
  return Object.fromEntries(
    game.options.map((option) => [option.name, given[option.name] ?? defaultAt(option, players)]),
  );
}

/** Names of the house rules that differ from the usual ones and have an effect. */
export function changedRules(game: GameInfo, chosen: Chosen): string[] {
  return game.options
    .filter(
      (option) =>
        option.name !== "players" &&
        !LENGTH_OPTIONS.includes(option.name) &&
        hasEffect(game.name, option.name, chosen) &&
        chosen[option.name] !== defaultAt(option, Number(chosen.players)),
    )
    .map((option) => option.name);
}

/**
 * What those who sit down should know: the match's length and every unusual house rule; `players`
 * are those at the table by seat.
 */
export function rulesInWords(
  game: GameInfo,
  chosen: Chosen,
  players: readonly string[] = [],
): { label: string; value: string }[] {
  const unusual = changedRules(game, chosen);
  return game.options
    .filter(({ name }) => LENGTH_OPTIONS.includes(name) || unusual.includes(name))
    .map(({ name }) => ({
      label: optionLabel(name, game.name),
      value: valueAtTable(name, chosen[name] ?? null, game.name, players),
    }));
}

/** The options to send: those with an effect. */
function effective(game: GameInfo, chosen: Chosen): Chosen {
  const players = Number(chosen.players);
  const kept = game.options.filter(
    (option) => option.name === "players" || hasEffect(game.name, option.name, chosen),
  );
  const sent = Object.fromEntries(kept.map(({ name }) => [name, chosen[name] ?? null]));
  // A dealer chosen for more players than now sit down has no seat any more.
  if (typeof sent.dealer === "number" && sent.dealer >= players) sent.dealer = null;
  return sent;
}

export interface Wish {
  game: GameInfo;
  chosen: Chosen;
  name: string;
  thinkingTime: ThinkingTime;
  /** Seconds for all turns of the match together; null for no limit. */
  matchTime: number | null;
  /** Who may begin the match. */
  starters: "all" | "host";
  pause: number;
  /** The computer player to play against, and for seats that stay open. */
  opponent: string;
  /** Whether whoever has the turn may ask for a hint. */
  hints: boolean;
  /** Against computers at once, or with seats open for those who get the link. */
  against: "computers" | "people";
}

/** The table to ask for; the maker takes the first seat. */
export function newTable(wish: Wish): NewTable {
  const players = Number(wish.chosen.players);
  const others = wish.against === "computers" ? `bot:${wish.opponent}` : "open";
  return {
    game: wish.game.name,
    options: effective(wish.game, wish.chosen),
    seats: ["me", ...Array.from({ length: players - 1 }, () => others)],
    name: wish.name,
    thinking_time: wish.thinkingTime,
    match_time: wish.matchTime,
    starters: wish.starters,
    pause: wish.pause,
    start: wish.against === "computers",
    hints: wish.hints,
    stand_in: wish.opponent,
  };
}

/** The table of a game's guided round, with its maker in the first seat. */
export function guidedTable(game: GameInfo, name: string, pause: number): NewTable {
  const others = Array.from({ length: (game.guided ?? 1) - 1 }, () => "bot:greedy");
  return { game: game.name, seats: ["me", ...others], name, pause, start: true, guided: true };
}
