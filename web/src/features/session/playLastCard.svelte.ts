// Plays the last card of a hand automatically, if nothing else is possible.
import { hasTutorial } from "./assistance";
import { doubtView } from "../../api/narrowGameView";
import type { Turn } from "../../api/messages";
import type { TableState } from "../../table/tableState";
import { settings } from "../../settings/settings.svelte";
import type { TableSession } from "./tableSession.svelte.ts";

/** Milliseconds that the card stays in the hand, so that readers see whose turn it is. */
const DELAY_MS = 700;
/** The delay while the previous card may still be taken back. */
const UNDOABLE_DELAY_MS = 2_500;

/**
 * The action that plays the last card of the reader's hand if nothing else is legal; else null. Also null
 * in a tutorial round, whose coach explains that card; in I Doubt It, where laying a card is a claim; and
 * during an undo request, which playing on would decline.
 */
export function onlyLegalLastCard(state: TableState, turn: Turn | null): string | null {
  const { view } = state;
  if (turn?.legal.length !== 1 || view?.hand?.length !== 1) return null;
  if (hasTutorial(state) || doubtView(view) || state.room.undo) return null;
  const action = `play ${view.hand[0]}`;
  return turn.legal[0] === action ? action : null;
}

/** Plays the last card of each hand after a moment; `due` is the reader's pending decision. */
export function playLastCard(
  session: Pick<TableSession, "actAutomatically" | "current" | "sent">,
  shown: () => TableState,
  due: () => Turn | null,
): void {
  // A card that was refused, lost or taken back is left to the reader.
  let tried = "";
  const action = $derived(
    settings.lastCard && session.current && session.sent === null ? onlyLegalLastCard(shown(), due()) : null,
  );
  const round = $derived(`${shown().room.number}/${shown().view?.round}`);
  const time = $derived(shown().undoable ? UNDOABLE_DELAY_MS : DELAY_MS);
  $effect(() => {
    const [card, hand] = [action, round];
    if (card === null || hand === tried) return;
    const timer = setTimeout(() => {
      tried = hand;
      void session.actAutomatically(card);
    }, time);
    return () => clearTimeout(timer);
  });
}
