// The bots that can be chosen as opponents, and their labels.
import { m } from "../i18n";
import type { GameInfo } from "../api/messages";

/** The built-in bots from weak to strong, by their names on the server, with labels and descriptions. */
const BUILT_IN: Record<string, { name: () => string; about: () => string }> = {
  random: { name: m.opponent_chance, about: m.opponent_chance_note },
  sociable: { name: m.opponent_sociable, about: m.opponent_sociable_note },
  greedy: { name: m.opponent_easy, about: m.opponent_easy_note },
  club: { name: m.opponent_strong, about: m.opponent_strong_note },
  master: { name: m.opponent_very_strong, about: m.opponent_very_strong_note },
};

/** The random bot is only offered if no other can play the game. */
const RANDOM_BOT = "random";

/** The bot that plays like people, preferred where strong play is no fun. */
const SOCIABLE_BOT = "sociable";

/** The bots offered for a game, from weak to strong. */
export function botNames(game: GameInfo): string[] {
  const seeing = game.computers.filter((name) => name !== RANDOM_BOT);
  return seeing.length > 0 ? seeing : game.computers;
}

/** Whether a bot is ready to play the game. */
export function isBotReady(game: GameInfo, name: string): boolean {
  return !game.preparing.includes(name);
}

/**
 * The bot to select: the one chosen for this game, else the sociable one if offered, else the one chosen
 * last for any game, else a strong one. While that bot is not ready, it is the strongest weaker built-in
 * one that is.
 */
export function preferredBot(game: GameInfo, chosen: string | null, last: string | null = chosen): string {
  const offered = botNames(game);
  const usual = [SOCIABLE_BOT, last, "club", "greedy", offered[0] ?? RANDOM_BOT];
  const wanted = [chosen, ...usual].find((name) => name !== null && offered.includes(name)) ?? RANDOM_BOT;
  if (isBotReady(game, wanted)) return wanted;
  const ours = Object.keys(BUILT_IN).filter((name) => offered.includes(name));
  const weaker = ours.slice(0, Math.max(1, ours.indexOf(wanted)));
  return weaker.findLast((name) => isBotReady(game, name)) ?? wanted;
}

/** The label of a bot; a third-party bot has its own name. */
export function botLabel(name: string): string {
  return BUILT_IN[name]?.name() ?? name;
}

/** A short description of how a bot plays; empty for third-party bots. */
export function botDescription(name: string): string {
  return BUILT_IN[name]?.about() ?? "";
}
