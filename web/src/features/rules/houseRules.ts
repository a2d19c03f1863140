// The house rules of a sheet at one table: their current values, which differ from the defaults, and which
// have no effect.
import {
  defaultValue,
  hasEffect,
  optionHelp,
  optionLabel,
  optionValueAtTable,
  optionValueText,
} from "../../i18n/gameLabels";
import type { GameInfo } from "../../api/messages";
import type { ChosenOptions } from "../../games/newTable";
import type { Inline, Sheet } from "./sheet";

export interface RuleValue {
  title: string;
  parts: Inline[];
  inForce: boolean;
}

export interface HouseRule {
  name: string;
  label: string;
  help: string;
  /** What holds, in words. */
  value: string;
  /** The available values, the default first; empty for a number or a seat. */
  values: RuleValue[];
  /** What is usual and allowed, where there is no list of values. */
  usual: Inline[];
  changed: boolean;
  /** Whether it makes a difference with the other rules of this table. */
  matters: boolean;
}

/** The name and the help of a value; the help often begins with the name. */
function named(title: string, parts: Inline[]): Pick<RuleValue, "title" | "parts"> {
  const [first, ...rest] = parts;
  const says = first?.kind === "text" && first.text.startsWith(title);
  return says ? { title: first.text, parts: rest } : { title, parts };
}

/**
 * The house rules in the order of the sheet.
 *
 * @param sheet the sheet of the game
 * @param game its options as the server offers them
 * @param chosen every option with its value
 * @param players who sits where, to name the first dealer; empty before anybody does
 */
export function houseRules(
  sheet: Sheet,
  game: GameInfo,
  chosen: ChosenOptions,
  players: readonly string[] = [],
): HouseRule[] {
  return sheet.house.entries.flatMap(({ name, intro, alternatives }) => {
    const option = game.options.find((one) => one.name === name);
    if (!option) return [];
    const value = chosen[name] ?? null;
    return [
      {
        name,
        label: optionLabel(name, game.name),
        help: optionHelp(name, game.name),
        value: optionValueAtTable(name, value, game.name, players),
        values: alternatives.map((one) => ({
          ...named(optionValueText(name, one.value, game.name), one.parts),
          inForce: one.value === String(value),
        })),
        usual: alternatives.length ? [] : intro,
        // The number of players is no house rule; defaults depend on it.
        changed: name !== "players" && value !== defaultValue(option, Number(chosen.players)),
        matters: name === "players" || hasEffect(game.name, name, chosen),
      },
    ];
  });
}
