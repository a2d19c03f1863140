// The games and their house rules in words. A game or an option that is not listed here is one
// this client does not know how to show.
import { m } from "../i18n";
import type { OptionInfo } from "../messages";

type Words = () => string;
export type Value = number | string | null;

export const GAMES = ["molotov", "offenbach", "molotow", "differenzler"] as const;
export type GameName = (typeof GAMES)[number];

const NAMES: Record<GameName, { name: Words; about: Words }> = {
  molotov: { name: m.game_molotov, about: m.about_molotov },
  offenbach: { name: m.game_offenbach, about: m.about_offenbach },
  molotow: { name: m.game_molotow, about: m.about_molotow },
  differenzler: { name: m.game_differenzler, about: m.about_differenzler },
};

interface OptionWords {
  label: Words;
  values: Record<string, Words>;
}

const OPTIONS: Record<string, OptionWords> = {
  players: { label: m.players, values: {} },
  rounds: { label: m.opt_rounds, values: {} },
  target: { label: m.opt_target, values: {} },
  dealer: { label: m.opt_dealer, values: { null: m.opt_dealer_null, 0: m.opt_dealer_me } },
  direction: {
    label: m.opt_direction,
    values: { anticlockwise: m.opt_direction_anticlockwise, clockwise: m.opt_direction_clockwise },
  },
  undertrump: {
    label: m.opt_undertrump,
    values: {
      free: m.opt_undertrump_free,
      if_void: m.opt_undertrump_if_void,
      strict: m.opt_undertrump_strict,
      literal: m.opt_undertrump_literal,
    },
  },
  ties: {
    label: m.opt_ties,
    values: { nothing: m.opt_ties_nothing, generous: m.opt_ties_generous },
  },
  long_runs: {
    label: m.opt_long_runs,
    values: { fifty: m.opt_long_runs_fifty, weis: m.opt_long_runs_weis },
  },
  no_trump: {
    label: m.opt_no_trump,
    values: {
      eights: m.opt_no_trump_eights,
      plain: m.opt_no_trump_plain,
      annul: m.opt_no_trump_annul,
    },
  },
  five_player_marks: {
    label: m.opt_five_player_marks,
    values: { "3-1-1": m.opt_five_player_marks_3_1_1, "2-1-2": m.opt_five_player_marks_2_1_2 },
  },
  marks: { label: m.opt_marks, values: { seed: m.opt_marks_seed, swiss: m.opt_marks_swiss } },
  trump: { label: m.opt_trump, values: { random: m.opt_trump_random, bottom: m.opt_trump_bottom } },
  bids: { label: m.opt_bids, values: { hidden: m.opt_bids_hidden, open: m.opt_bids_open } },
  show_points: {
    label: m.opt_show_points,
    values: { own: m.opt_show_points_own, all: m.opt_show_points_all },
  },
  exact_bonus: {
    label: m.opt_exact_bonus,
    values: { 0: m.opt_exact_bonus_0, 10: m.opt_exact_bonus_10 },
  },
  zero_bonus: {
    label: m.opt_zero_bonus,
    values: {
      trick: m.opt_zero_bonus_trick,
      never: m.opt_zero_bonus_never,
      always: m.opt_zero_bonus_always,
    },
  },
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

/** What an option is called. */
export function optionLabel(name: string): string {
  return OPTIONS[name]?.label() ?? name;
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
