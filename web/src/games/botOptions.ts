// The bots that can be chosen as opponents, and their labels.
import { m } from "../i18n";
import type { GameInfo } from "../api/messages";

/** Ours from weak to strong by their names on the server, with what they are called here and how they play. */
const OURS: Record<string, { name: () => string; about: () => string }> = {
  random: { name: m.opponent_chance, about: m.opponent_chance_note },
  sociable: { name: m.opponent_sociable, about: m.opponent_sociable_note },
  greedy: { name: m.opponent_easy, about: m.opponent_easy_note },
  club: { name: m.opponent_strong, about: m.opponent_strong_note },
  master: { name: m.opponent_very_strong, about: m.opponent_very_strong_note },
};

/** Who plays blindly is no opponent, unless nobody else has learnt the game. */
const BLIND = "random";

/** Who plays as people do, in the one game where the strong ones are no company. */
const COMPANION = "sociable";

/** The computer players offered for a game, from weak to strong. */
export function botNames(game: GameInfo): string[] {
  const seeing = game.computers.filter((name) => name !== BLIND);
  return seeing.length > 0 ? seeing : game.computers;
}

/** Whether a computer player can play the game by now. */
export function isBotReady(game: GameInfo, name: string): boolean {
  return !game.preparing.includes(name);
}

/**
 * The one that plays: whoever was chosen for this game, else the companion where there is one, else
 * whoever was chosen last for any game, else a strong one. While the one
 * wanted is not ready, it is the strongest of ours below, and shown to be chosen.
 */
export function preferredBot(
  game: GameInfo,
  chosen: string | null,
  last: string | null = chosen,
): string {
  const offered = botNames(game);
  const usual = [COMPANION, last, "club", "greedy", offered[0] ?? BLIND];
  const wanted = [chosen, ...usual].find((name) => name !== null && offered.includes(name)) ?? BLIND;
  if (isBotReady(game, wanted)) return wanted;
  const ours = Object.keys(OURS).filter((name) => offered.includes(name));
  const weaker = ours.slice(0, Math.max(1, ours.indexOf(wanted)));
  return weaker.findLast((name) => isBotReady(game, name)) ?? wanted;
}

/** What a computer player is called; one of another package by its own name. */
export function botLabel(name: string): string {
  return OURS[name]?.name() ?? name;
}

/** How a computer player plays, in a few words; nothing is known of others than ours. */
export function botDescription(name: string): string {
  return OURS[name]?.about() ?? "";
}
