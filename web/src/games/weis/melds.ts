// Weis and Stöck in any game that has them: those announced, those possible, and their points. Pure; the
// texts are in `words.ts`.
import type { Meld, Turn, View } from "../../api/messages";
import { weisView } from "../../api/narrowGameView";

/** The points for king and queen of trumps in one hand (JS8). */
export const STOECK_POINTS = 20;

/** The Weis a seat has announced in the first trick, in points; undefined later or without one. */
export function weisOf(seen: View | null, seat: number | null): number | undefined {
  const view = weisView(seen);
  if (!view || view.tricks.length > 0) return undefined;
  return view.announced.find((one) => one.seat === seat)?.points;
}

/** The best Weis the reader may announce with the next card; null without one. */
export function weisToAnnounce(turn: Turn | null, view: View | null): Meld | null {
  if (!turn?.legal.some((action) => action.endsWith(" weis"))) return null;
  return weisView(view)?.melds[0] ?? null;
}

/** The action that plays a card, with the Weis if wanted and legal. */
export function playAction(action: string, weis: boolean, turn: Turn | null): string {
  const announced = `${action} weis`;
  return weis && turn?.legal.includes(announced) ? announced : action;
}

/** The total points of some melds. */
export function sumOfMelds(melds: readonly Meld[]): number {
  return melds.reduce((sum, one) => sum + one.points, 0);
}

/** A run or four by its size: `run` of three to nine cards, or four of a `rank`. */
export function meldKind(meld: Meld): "run" | "four" {
  const suits = new Set(meld.cards.map((card) => card[1]));
  return suits.size > 1 ? "four" : "run";
}
