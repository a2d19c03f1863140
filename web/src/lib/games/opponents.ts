// The computer players, as somebody chooses among them.
import { m } from "../i18n";
import type { GameInfo } from "../messages";

/** Ours by their names on the server, with what they are called here and how they play. */
const OURS: Record<string, { name: () => string; about: () => string }> = {
  greedy: { name: m.opponent_easy, about: m.opponent_easy_note },
  club: { name: m.opponent_strong, about: m.opponent_strong_note },
  master: { name: m.opponent_very_strong, about: m.opponent_very_strong_note },
};

/** Who plays blindly is no opponent: for tests and figures only. */
const NO_OPPONENT = "random";

/** The computer players offered for a game, from weak to strong. */
export function opponents(game: GameInfo): string[] {
  return game.computers.filter((name) => name !== NO_OPPONENT);
}

/** The one that plays where nobody, or somebody who is not offered, has been chosen. */
export function opponentFor(game: GameInfo, chosen: string | null): string {
  const offered = opponents(game);
  const wanted = [chosen, "club"].find((name) => name !== null && offered.includes(name));
  return wanted ?? "greedy";
}

/** What a computer player is called; one of another package by its own name. */
export function opponentName(name: string): string {
  return OURS[name]?.name() ?? name;
}

/** How a computer player plays, in a few words; nothing is known of others than ours. */
export function opponentAbout(name: string): string {
  return OURS[name]?.about() ?? "";
}
