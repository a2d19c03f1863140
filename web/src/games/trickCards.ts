// Which seat played which card of a complete trick: in Handjass only those who have not dropped.
import type { Trick, View } from "../api/messages";
import { handjassView } from "../api/narrowGameView";
import type { SeatCard } from "../table/tableState";

/** The seats that play in the round of the latest trick; all in games without dropping. */
export function playersOfLastTrick(seen: View | null): number[] {
  const view = handjassView(seen);
  const round = view?.last_trick ? view : view?.rounds.at(-1);
  return [...(round?.playing ?? seen?.standing.keys() ?? [])];
}

/** The cards of a complete trick with their seats, given the seats that play (JS4, JS6). */
export function trickCards(trick: Trick, playing: readonly number[]): SeatCard[] {
  const start = playing.indexOf(trick.leader);
  return trick.cards.map((card, index) => [playing[(start + index) % playing.length] ?? trick.leader, card]);
}
