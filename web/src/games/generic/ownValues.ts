// The values of a view that only its game has, where each is a single word or number.
import type { RichTextPart } from "../../cards/richText";
import { gameTexts } from "../../i18n/gameTexts.svelte";
import type { View } from "../../api/messages";
import { actionLabel } from "../actionLabels";
import { standingValueText } from "./standing";

/** The keys that every view has (`CommonView` in jasstisch/games/views.py). */
const COMMON_KEYS: ReadonlySet<string> = new Set([
  ...["game", "options", "players", "seat", "phase", "round", "dealer", "draw", "to_act", "needs_pack"],
  ...["hand", "hand_sizes", "trick", "last_trick", "tricks", "trump", "points"],
  ...["rounds", "standing", "over", "winners"],
]);

export interface OwnValue {
  key: string;
  parts: RichTextPart[];
}

/** The game's own values, in the order of the view; those that are empty or lists are left out. */
export function ownValues(view: View): OwnValue[] {
  const seats = gameTexts.of(view.game)?.seats ?? [];
  return Object.entries(view).flatMap(([key, value]: [string, unknown]): OwnValue[] => {
    if (COMMON_KEYS.has(key) || value === null || value === "" || value === false) return [];
    if (typeof value === "number" && seats.includes(key))
      return [{ key, parts: [{ kind: "seat", seat: value }] }];
    if (typeof value === "string") return [{ key, parts: actionLabel(view.game, value) }];
    if (typeof value !== "number" && value !== true) return [];
    return [{ key, parts: [{ kind: "number", text: standingValueText(value) }] }];
  });
}
