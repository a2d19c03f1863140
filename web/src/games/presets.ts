// Well-known sets of house rules, offered on the start page before the single options.
import { m } from "../i18n";
import type { GameInfo } from "../api/messages";
import type { Deck } from "../settings/settings.svelte";
import { withDefaults, type ChosenOptions } from "./newTable";

export interface Preset {
  id: string;
  /** The options that differ from the usual rules. */
  options: ChosenOptions;
  text: () => string;
}

/** The presets of a game, the most common first; the doubled suits are those of the deck (SC5). */
export function presetsOf(game: string, deck: Deck): readonly Preset[] {
  if (game !== "schieber") return [];
  return [
    { id: "pub", options: {}, text: m.preset_pub },
    {
      id: "tournament",
      options: { rounds: 12, weis: "off", match_bonus: 0 },
      text: m.preset_tournament,
    },
    { id: "factors", options: { target: 2500, multipliers: deck }, text: m.preset_factors },
  ];
}

/** Whether these are exactly the rules of a preset; the number of players does not matter. */
export function isChosen(preset: Preset, game: GameInfo, chosen: ChosenOptions): boolean {
  const meant = withDefaults(game, { players: chosen.players ?? null, ...preset.options });
  return game.options.every(({ name }) => chosen[name] === meant[name]);
}
