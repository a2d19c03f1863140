// The last card of a hand plays by itself: where nothing else can be done, nobody has to be asked.
import { isCoached } from "../guides/helped";
import { doubtView } from "../games/views";
import type { Turn } from "../messages";
import type { TableState } from "../protocol/fold";
import { settings } from "../settings.svelte";
import type { TableSession } from "./session.svelte";

/** Milliseconds it stays in the hand, so that one sees whose turn it is. */
const SHOWN = 700;

/**
 * The action that plays the last card of the reader's hand, where it is all that may be done; else
 * null. The coach of a guided round talks about that card too, and who lays one in I Doubt It claims
 * something.
 */
export function lastCard(state: TableState, turn: Turn | null): string | null {
  const { view } = state;
  if (turn?.legal.length !== 1 || view?.hand?.length !== 1) return null;
  if (isCoached(state) || doubtView(view)) return null;
  const action = `play ${view.hand[0]}`;
  return turn.legal[0] === action ? action : null;
}

/** Plays the last card of each hand after a moment; `due` is what is asked of the reader. */
export function playLastCard(
  session: Pick<TableSession, "act" | "current" | "sent">,
  shown: () => TableState,
  due: () => Turn | null,
): void {
  // What was refused, or lost on its way, is left to the reader.
  let tried = -1;
  const action = $derived(
    settings.lastCard && session.current && session.sent === null ? lastCard(shown(), due()) : null,
  );
  const version = $derived(shown().version);
  $effect(() => {
    const [card, moment] = [action, version];
    if (card === null || moment === tried) return;
    const timer = setTimeout(() => {
      tried = moment;
      void session.act(card);
    }, SHOWN);
    return () => clearTimeout(timer);
  });
}
