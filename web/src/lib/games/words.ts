// The games and their house rules in words. A game or an option that is not listed here is one
// this client does not know how to show.
import { m } from "../i18n";
import type { OptionInfo } from "../messages";

type Words = () => string;
export type Value = number | string | null;

export const GAMES = ["molotov", "offenbach", "molotow", "differenzler", "jass", "i-doubt-it"] as const;
export type GameName = (typeof GAMES)[number];

const NAMES: Record<GameName, { name: Words; about: Words }> = {
  molotov: { name: m.game_molotov, about: m.about_molotov },
  offenbach: { name: m.game_offenbach, about: m.about_offenbach },
  molotow: { name: m.game_molotow, about: m.about_molotow },
  differenzler: { name: m.game_differenzler, about: m.about_differenzler },
  jass: { name: m.game_jass, about: m.about_jass },
  "i-doubt-it": { name: m.game_i_doubt_it, about: m.about_i_doubt_it },
};

interface OptionWords {
  label: Words;
  /** One line on what the option is about. */
  help: Words;
  values: Record<string, Words>;
}

const OPTIONS: Record<string, OptionWords> = {
  players: { label: m.players, help: m.help_players, values: {} },
  rounds: { label: m.opt_rounds, help: m.help_rounds, values: {} },
  target: { label: m.opt_target, help: m.help_target, values: {} },
  dealer: {
    label: m.opt_dealer,
    help: m.help_dealer,
    values: { null: m.opt_dealer_null, 0: m.opt_dealer_me },
  },
  direction: {
    label: m.opt_direction,
    help: m.help_direction,
    values: { anticlockwise: m.opt_direction_anticlockwise, clockwise: m.opt_direction_clockwise },
  },
  undertrump: {
    label: m.opt_undertrump,
    help: m.help_undertrump,
    values: {
      free: m.opt_undertrump_free,
      if_void: m.opt_undertrump_if_void,
      strict: m.opt_undertrump_strict,
      forced: m.opt_undertrump_forced,
      literal: m.opt_undertrump_literal,
    },
  },
  ties: {
    label: m.opt_ties,
    help: m.help_ties,
    values: { nothing: m.opt_ties_nothing, generous: m.opt_ties_generous },
  },
  long_runs: {
    label: m.opt_long_runs,
    help: m.help_long_runs,
    values: { fifty: m.opt_long_runs_fifty, weis: m.opt_long_runs_weis },
  },
  no_trump: {
    label: m.opt_no_trump,
    help: m.help_no_trump,
    values: {
      eights: m.opt_no_trump_eights,
      plain: m.opt_no_trump_plain,
      annul: m.opt_no_trump_annul,
    },
  },
  five_player_marks: {
    label: m.opt_five_player_marks,
    help: m.help_five_player_marks,
    values: { "3-1-1": m.opt_five_player_marks_3_1_1, "2-1-2": m.opt_five_player_marks_2_1_2 },
  },
  marks: {
    label: m.opt_marks,
    help: m.help_marks,
    values: { seed: m.opt_marks_seed, swiss: m.opt_marks_swiss },
  },
  trump: {
    label: m.opt_trump,
    help: m.help_trump,
    values: { random: m.opt_trump_random, bottom: m.opt_trump_bottom },
  },
  bids: {
    label: m.opt_bids,
    help: m.help_bids,
    values: { hidden: m.opt_bids_hidden, open: m.opt_bids_open },
  },
  show_points: {
    label: m.opt_show_points,
    help: m.help_show_points,
    values: { own: m.opt_show_points_own, all: m.opt_show_points_all },
  },
  exact_bonus: {
    label: m.opt_exact_bonus,
    help: m.help_exact_bonus,
    values: { 0: m.opt_exact_bonus_0, 10: m.opt_exact_bonus_10 },
  },
  zero_bonus: {
    label: m.opt_zero_bonus,
    help: m.help_zero_bonus,
    values: {
      trick: m.opt_zero_bonus_trick,
      never: m.opt_zero_bonus_never,
      always: m.opt_zero_bonus_always,
    },
  },
  max_turns: { label: m.opt_max_turns, help: m.help_max_turns, values: {} },
  last: {
    label: m.opt_last,
    help: m.help_last,
    values: { three: m.opt_last_three, any: m.opt_last_any },
  },
  lie_fee: {
    label: m.opt_lie_fee,
    help: m.help_lie_fee,
    values: { 0: m.opt_lie_fee_0, 1: m.opt_lie_fee_1 },
  },
};

/** Options that mean something else in one game. */
const OWN: Record<string, Record<string, Pick<OptionWords, "label" | "help">>> = {
  jass: { target: { label: m.opt_target_jass, help: m.help_target_jass } },
};

function isKnown(game: string): game is GameName {
  return (GAMES as readonly string[]).includes(game);
}

/** The games this client can show, the best known first. */
export function inOrder<T extends { name: string }>(games: readonly T[]): T[] {
  return GAMES.flatMap((name) => games.filter((one) => one.name === name));
}

/** The game's name; an unknown game keeps its id. */
export function gameName(game: string): string {
  return isKnown(game) ? NAMES[game].name() : game;
}

/** One line on what the game is about. */
export function gameAbout(game: string): string {
  return isKnown(game) ? NAMES[game].about() : "";
}

/** Whether there are words for an option. */
export function optionIsKnown(name: string): boolean {
  return name in OPTIONS;
}

/** What an option is called, in a game that has a name of its own for it. */
export function optionLabel(name: string, game = ""): string {
  return (OWN[game]?.[name] ?? OPTIONS[name])?.label() ?? name;
}

/** One line on what an option is about. */
export function optionHelp(name: string, game = ""): string {
  return (OWN[game]?.[name] ?? OPTIONS[name])?.help() ?? "";
}

/** Whether a value of an option has words of its own. */
export function valueHasWords(name: string, value: Value): boolean {
  return OPTIONS[name]?.values[String(value)] !== undefined;
}

/** What a value of an option is called; numbers that speak for themselves stay numbers. */
export function valueText(name: string, value: Value): string {
  const words = OPTIONS[name]?.values[String(value)];
  if (words) return words();
  if (name === "dealer" && typeof value === "number") return m.opt_dealer_seat({ n: value + 1 });
  return String(value ?? "–");
}

/** The same at a table with these players by seat, "" where nobody sits: they name the dealer. */
export function valueAtTable(name: string, value: Value, players: readonly string[]): string {
  if (name !== "dealer" || typeof value !== "number" || players.length === 0) {
    return valueText(name, value);
  }
  return players[value] || m.opt_dealer_seat({ n: value + 1 });
}

/** What holds without a choice at a table for so many players. */
export function defaultAt(option: OptionInfo, players: number): Value {
  return option.defaults?.[players] ?? option.default;
}

/** The values an option offers at a table for so many players. */
export function valuesOf(option: OptionInfo, players: number): Value[] {
  if (option.values) return option.values;
  if (option.name === "dealer") return [null, ...Array.from({ length: players }, (_, i) => i)];
  const low = option.min ?? 0;
  const high = option.max ?? low;
  return Array.from({ length: high - low + 1 }, (_, i) => low + i);
}

/**
 * Whether an option can make a difference with the other choices; one that cannot is not shown
 * and keeps its default.
 */
export function hasEffect(game: string, option: string, chosen: Record<string, Value>): boolean {
  const players = Number(chosen.players);
  switch (option) {
    case "five_player_marks":
      return players === 5;
    case "long_runs":
      return players >= 5;
    case "no_trump":
      return players === 3;
    case "zero_bonus":
      return chosen.exact_bonus !== 0;
    default:
      return game !== "" && option !== "players";
  }
}
