// The choices of the start page, and the request for a new table made from them.
import type { GameInfo, NewTable, OptionInfo } from "../api/messages";
import type { ThinkingTime } from "../table/timeOptions";
import {
  defaultValue,
  hasEffect,
  optionLabel,
  optionValueAtTable,
  optionValues,
  type Value,
} from "../i18n/gameLabels";

export type ChosenOptions = Record<string, Value>;

/** The options that set a game's length; shown next to the number of players. */
export const LENGTH_OPTIONS: readonly string[] = ["target", "rounds"];

/** Whether an option is one of them and numeric. */
export function isLengthOption(option: OptionInfo): boolean {
  return (
    LENGTH_OPTIONS.includes(option.name) &&
    optionValues(option, 0).every((value) => typeof value === "number")
  );
}

/** Every option of a game: as given, or the default for the number of players. */
export function withDefaults(game: GameInfo, given: ChosenOptions = {}): ChosenOptions {
  const usual = game.options.find(({ name }) => name === "players")?.default;
  const players = Number(given.players ?? usual);
  return Object.fromEntries(
    game.options.map((option) => [option.name, given[option.name] ?? defaultValue(option, players)]),
  );
}

/** The names of the house rules that differ from the defaults and have an effect. */
export function changedOptions(game: GameInfo, chosen: ChosenOptions): string[] {
  return game.options
    .filter(
      (option) =>
        option.name !== "players" &&
        !LENGTH_OPTIONS.includes(option.name) &&
        hasEffect(game.name, option.name, chosen) &&
        chosen[option.name] !== defaultValue(option, Number(chosen.players)),
    )
    .map((option) => option.name);
}

/**
 * The rules that people should know before they sit down: the match's length and every non-default house
 * rule; `players` are the names by seat.
 */
export function optionsSummary(
  game: GameInfo,
  chosen: ChosenOptions,
  players: readonly string[] = [],
): { label: string; value: string }[] {
  const unusual = changedOptions(game, chosen);
  return game.options
    .filter(({ name }) => LENGTH_OPTIONS.includes(name) || unusual.includes(name))
    .map(({ name }) => ({
      label: optionLabel(name, game.name),
      value: optionValueAtTable(name, chosen[name] ?? null, game.name, players),
    }));
}

/** The options to send: those with an effect. */
function effective(game: GameInfo, chosen: ChosenOptions): ChosenOptions {
  const players = Number(chosen.players);
  const kept = game.options.filter(
    (option) => option.name === "players" || hasEffect(game.name, option.name, chosen),
  );
  const sent = Object.fromEntries(kept.map(({ name }) => [name, chosen[name] ?? null]));
  // The seat of a dealer chosen for more players no longer exists.
  if (typeof sent.dealer === "number" && sent.dealer >= players) sent.dealer = null;
  return sent;
}

export interface TableChoices {
  game: GameInfo;
  chosen: ChosenOptions;
  name: string;
  thinkingTime: ThinkingTime;
  /** Seconds for all turns of the match together; null for no limit. */
  matchTime: number | null;
  /** Who may start the match. */
  starters: "all" | "host";
  pause: number;
  /** The bot to play against, and for seats that stay open. */
  opponent: string;
  /** Whether players may request hints. */
  hints: boolean;
  /** Play against bots at once, or keep seats open for invited people. */
  against: "computers" | "people";
}

/** The request for a new table; its creator takes the first seat. */
export function newTableRequest(wish: TableChoices): NewTable {
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

/** The request for a game's tutorial table; its creator takes the first seat. */
export function tutorialTableRequest(game: GameInfo, name: string, pause: number): NewTable {
  const others = Array.from({ length: (game.guided ?? 1) - 1 }, () => "bot:greedy");
  return { game: game.name, seats: ["me", ...others], name, pause, start: true, guided: true };
}
