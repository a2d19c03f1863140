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
import type { Inline, Sheet } from "./ruleSheet";

export interface RuleValue {
  title: string;
  parts: Inline[];
  inForce: boolean;
}

export interface HouseRule {
  name: string;
  label: string;
  help: string;
  /** The current value as text. */
  value: string;
  /** The available values, the default first; empty for a number or a seat. */
  values: RuleValue[];
  /** The default and the range, if there is no list of values. */
  usual: Inline[];
  changed: boolean;
  /** Whether the rule has an effect with the other rules of this table. */
  matters: boolean;
}

/** The title and the explanation of a value, without repeating the title in the explanation. */
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
 * @param players the names by seat, to name the first dealer; empty before anybody sits down
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
        // The number of players is not a house rule, but defaults depend on it.
        changed: name !== "players" && value !== defaultValue(option, Number(chosen.players)),
        matters: name === "players" || hasEffect(game.name, name, chosen),
      },
    ];
  });
}
