// Actions other than cards for which a game has no panel of its own: a contract to announce, an answer, a
// pass. Any game may have them.
import { playedCard, type Suit } from "../../cards/cards";
import type { Turn, View } from "../../api/messages";
import { actionLabel } from "../actionLabels";
import { isBidding } from "../differenzler/bids";

/** By these one hands the choice on: they stand apart, as what needs no thought. */
const PASSING_ACTIONS: readonly string[] = ["push", "pass"];

/** More choices that begin alike stand together from so many words on: `joker 7 trump H`. */
const WORDS_OF_A_GROUP = 2;

export interface GroupedChoices {
  /** Those with a suit, which show it large. */
  suits: string[];
  others: string[];
  /** Actions with the same first words, `joker 7`, each with its remaining words. */
  groups: { head: string; actions: { action: string; rest: string }[] }[];
  /** By which the choice is handed on. */
  last: string[];
}

/** Whether a player has a decision before the cards, for which the others wait. */
export function isChoice(view: View | null): boolean {
  if (!view || view.needs_pack || view.phase === "play" || view.over) return false;
  return !isBidding(view);
}

/**
 * The actions to choose from besides the cards, but for those with these first words, which the
 * game's own panels offer.
 */
export function choicesIn(turn: Turn | null, verbs: readonly string[]): string[] {
  return (turn?.legal ?? []).filter(
    (action) => playedCard(action) === null && !verbs.includes(action.split(" ")[0] ?? ""),
  );
}

/** The suit that an action names, where it names one. */
export function suitOfAction(game: string, action: string): Suit | null {
  const piece = actionLabel(game, action).find((one) => one.kind === "suit");
  return piece?.kind === "suit" ? piece.suit : null;
}

/** The choices as they stand on a panel. */
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
