// The labels of games and house rules, as the server provides them. A game or option without labels is
// shown by its identifier.
import { m } from ".";
import type { OptionInfo } from "../api/messages";
import { catalogue } from "./catalogue.svelte";
import { gameTexts } from "./gameTexts.svelte";

export type Value = number | string | null;

/** The game's name, from its texts or else from the list of games; an unknown game keeps its id. */
export function gameName(game: string): string {
  return gameTexts.known(game)?.name ?? catalogue.of(game)?.label ?? game;
}

/** A one-line description of the game. */
export function gameDescription(game: string): string {
  return gameTexts.of(game)?.about ?? "";
}

/** A label made from an identifier of a game: `goat_colour` is `Goat colour`. */
export function keyAsLabel(key: string): string {
  const text = key.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The label of a game's option. */
export function optionLabel(name: string, game: string): string {
  return gameTexts.of(game)?.options[name]?.label ?? keyAsLabel(name);
}

/** A one-line description of an option. */
export function optionHelp(name: string, game: string): string {
  return gameTexts.of(game)?.options[name]?.help ?? "";
}

/** The label of a figure of a round or of the standing. */
export function columnLabel(key: string, game: string): string {
  return gameTexts.of(game)?.columns[key] ?? keyAsLabel(key);
}

/** The label of an option's value; self-explanatory numbers stay numbers. */
export function optionValueText(name: string, value: Value, game: string): string {
  const words = gameTexts.of(game)?.options[name]?.values[String(value)];
  if (words !== undefined) return words;
  if (name === "dealer" && typeof value === "number") return m.opt_dealer_seat({ n: value + 1 });
  return String(value ?? "–");
}

/** The same at a table with these players by seat ("" if free), whose names identify the dealer. */
export function optionValueAtTable(
  name: string,
  value: Value,
  game: string,
  players: readonly string[],
): string {
  if (name !== "dealer" || typeof value !== "number" || players.length === 0) {
    return optionValueText(name, value, game);
  }
  return players[value] || m.opt_dealer_seat({ n: value + 1 });
}

/** The default of an option for this number of players. */
export function defaultValue(option: OptionInfo, players: number): Value {
  return option.defaults?.[players] ?? option.default;
}

/** The values of an option for this number of players. */
export function optionValues(option: OptionInfo, players: number): Value[] {
  if (option.values) return option.values;
  if (option.name === "dealer") return [null, ...Array.from({ length: players }, (_, i) => i)];
  const low = option.min ?? 0;
  const high = option.max ?? low;
  return Array.from({ length: high - low + 1 }, (_, i) => low + i);
}

/**
 * Whether an option can have an effect with the other choices; an option without effect is hidden and
 * keeps its default.
 */
export function hasEffect(game: string, option: string, chosen: Record<string, Value>): boolean {
  if (option === "players") return false;
  const needed = Object.entries(gameTexts.of(game)?.effects[option] ?? {});
  return needed.every(([other, values]) => values.includes(chosen[other] ?? null));
}
