// The last choices on the start page, restored on the next visit. Stored in the browser only.
import type { GameInfo } from "../../api/messages";
import { MATCH_TIMES, THINKING_TIMES, type ThinkingTime } from "../../table/timeOptions";
import type { ChosenOptions } from "../../games/newTable";
import { optionValues, type Value } from "../../i18n/gameLabels";
import { LAST_CHOICES_KEY } from "../../settings/storageKeys";

export interface LastChoices {
  /** The game; "" before any. */
  game: string;
  /** The options of each recently chosen game, as they were set. */
  choices: Record<string, ChosenOptions>;
  thinkingTime: ThinkingTime;
  matchTime: number | null;
  starters: "host" | "all";
  hints: boolean;
}

/** Parses stored text; invalid parts get their defaults. */
export function parseLastChoices(text: string | null): LastChoices {
  let raw: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(text ?? "{}");
    if (isObject(parsed)) raw = parsed;
  } catch {
    // As if nothing were stored.
  }
  return {
    game: typeof raw.game === "string" ? raw.game : "",
    choices: isObject(raw.choices) ? choicesIn(raw.choices) : {},
    thinkingTime: THINKING_TIMES.find((one) => one === raw.thinkingTime) ?? null,
    matchTime: MATCH_TIMES.find((one) => one === raw.matchTime) ?? null,
    starters: raw.starters === "all" ? "all" : "host",
    hints: raw.hints === true,
  };
}

function choicesIn(raw: Record<string, unknown>): Record<string, ChosenOptions> {
  const games = Object.entries(raw).flatMap(([game, chosen]) =>
    isObject(chosen) ? [[game, valuesIn(chosen)] as const] : [],
  );
  return Object.fromEntries(games);
}

function valuesIn(raw: Record<string, unknown>): ChosenOptions {
  return Object.fromEntries(Object.entries(raw).filter((one): one is [string, Value] => isValue(one[1])));
}

function isValue(value: unknown): value is Value {
  return value === null || typeof value === "string" || typeof value === "number";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The stored choices that a game still offers: the server may be newer than the stored data. */
export function stillOffered(game: GameInfo, chosen: ChosenOptions): ChosenOptions {
  const players = Number(chosen.players ?? game.options.find(({ name }) => name === "players")?.default);
  return Object.fromEntries(
    Object.entries(chosen).filter(([name, value]) => {
      const option = game.options.find((one) => one.name === name);
      return option !== undefined && optionValues(option, players).some((one) => one === value);
    }),
  );
}

/** The last choices stored in this browser. */
export function loadLastChoices(): LastChoices {
  try {
    return parseLastChoices(localStorage.getItem(LAST_CHOICES_KEY));
  } catch {
    return parseLastChoices(null);
  }
}

/** Stores the choices for the next visit. */
export function saveLastChoices(chosen: LastChoices): void {
  try {
    localStorage.setItem(LAST_CHOICES_KEY, JSON.stringify(chosen));
  } catch {
    // Storage refused (private window): the next visit starts with the defaults.
  }
}
