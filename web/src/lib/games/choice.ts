// What is chosen on the start page, and the table that it asks the server for.
import type { GameInfo, NewTable } from "../messages";
import { hasEffect, optionIsKnown, optionLabel, valueText, type Value } from "./words";

export type Chosen = Record<string, Value>;

/** The options that set a game's length and stand beside the number of players. */
export const LENGTH_OPTIONS: readonly string[] = ["target", "rounds"];

/** Every option of a game at its default. */
export function defaults(game: GameInfo): Chosen {
  return Object.fromEntries(game.options.map((option) => [option.name, option.default]));
}

/** Names of the house rules that differ from the usual ones and have an effect. */
export function changedRules(game: GameInfo, chosen: Chosen): string[] {
  return game.options
    .filter(
      (option) =>
        option.name !== "players" &&
        !LENGTH_OPTIONS.includes(option.name) &&
        hasEffect(game.name, option.name, chosen) &&
        chosen[option.name] !== option.default,
    )
    .map((option) => option.name);
}

/** What those who sit down should know: the match's length and every unusual house rule. */
export function rulesInWords(game: GameInfo, chosen: Chosen): { label: string; value: string }[] {
  const unusual = changedRules(game, chosen);
  return game.options
    .filter(({ name }) => LENGTH_OPTIONS.includes(name) || unusual.includes(name))
    .filter(({ name }) => optionIsKnown(name))
    .map(({ name }) => ({
      label: optionLabel(name),
      value: valueText(name, chosen[name] ?? null),
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
  thinkingTime: number | null;
  pause: number;
  /** Against computers at once, or with seats open for those who get the link. */
  against: "computers" | "people";
}

/** The table to ask for; the maker takes the first seat. */
export function newTable(wish: Wish): NewTable {
  const players = Number(wish.chosen.players);
  const others = wish.against === "computers" ? "bot:greedy" : "open";
  return {
    game: wish.game.name,
    options: effective(wish.game, wish.chosen),
    seats: ["me", ...Array.from({ length: players - 1 }, () => others)],
    name: wish.name,
    thinking_time: wish.thinkingTime,
    pause: wish.pause,
    start: wish.against === "computers",
  };
}
