// Actions other than cards for which a game has no panel of its own: a contract to announce, an answer, a
// pass. Any game may have them.
import { playedCard, type Suit } from "../../cards/cards";
import type { Turn, View } from "../../api/messages";
import { actionLabel } from "../actionLabels";
import { isBidding } from "../differenzler/bids";

/** Actions that pass the choice on to another player; shown apart from the others. */
const PASSING_ACTIONS: readonly string[] = ["push", "pass"];

/** The number of first words by which choices are grouped: `joker 7 trump H`. */
const WORDS_OF_A_GROUP = 2;

export interface GroupedChoices {
  /** Actions with a suit, which show a large symbol. */
  suits: string[];
  others: string[];
  /** Actions with the same first words, `joker 7`, each with its remaining words. */
  groups: { head: string; actions: { action: string; rest: string }[] }[];
  /** Actions that pass the choice on. */
  last: string[];
}

/** Whether the table waits for a player's decision before the cards. */
export function isChoice(view: View | null): boolean {
  if (!view || view.needs_pack || view.phase === "play" || view.over) return false;
  return !isBidding(view);
}

/**
 * The actions that play no card, except those with these first words, which the game's own panels
 * offer.
 */
export function choicesIn(turn: Turn | null, verbs: readonly string[]): string[] {
  return (turn?.legal ?? []).filter(
    (action) => playedCard(action) === null && !verbs.includes(action.split(" ")[0] ?? ""),
  );
}

/** The suit that an action names; null if none. */
export function suitOfAction(game: string, action: string): Suit | null {
  const piece = actionLabel(game, action).find((one) => one.kind === "suit");
  return piece?.kind === "suit" ? piece.suit : null;
}

/** The choices grouped for a panel. */
export function groupChoices(game: string, actions: readonly string[]): GroupedChoices {
  const heads = new Map<string, string[]>();
  for (const action of actions) {
    const words = action.split(" ");
    const head = words.length > WORDS_OF_A_GROUP ? words.slice(0, WORDS_OF_A_GROUP).join(" ") : "";
    heads.set(head, [...(heads.get(head) ?? []), action]);
  }
  const alone = [...heads].flatMap(([head, some]) => (head === "" || some.length < 2 ? some : []));
  const single = actions.filter((action) => alone.includes(action));
  const last = single.filter((action) => PASSING_ACTIONS.includes(action));
  const suits = single.filter((action) => suitOfAction(game, action) !== null);
  return {
    suits,
    others: single.filter((action) => !last.includes(action) && !suits.includes(action)),
    groups: [...heads]
      .filter(([head, some]) => head !== "" && some.length > 1)
      .map(([head, some]) => ({
        head,
        actions: some.map((action) => ({ action, rest: action.slice(head.length + 1) })),
      })),
    last,
  };
}
