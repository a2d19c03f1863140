// Handjass: who plays, who has dropped, who is safe, what may be announced. Pure; the texts are in
// `words.ts`.
import type { JassView, Meld, Trick, Turn, View } from "../../api/messages";
import type { SeatCard } from "../../table/tableState";
import { jassView, weisView } from "../../api/views";

/** What king and queen of trumps in one hand bring (JS8). */
export const STOECK_POINTS = 20;

/** How a seat stands to the round: `asked` is still to answer, `plays` is in it. */
export type PlayerRole = "asked" | "plays" | "blind" | "dropped" | "safe";

/** How a seat stands to the round in progress; null between rounds and in other games. */
export function roleOf(seen: View | null, seat: number): PlayerRole | null {
  const view = jassView(seen);
  if (!view) return null;
  if (view.standing[seat]?.safe) return "safe";
  if (view.playing.length === 0) return null;
  const said = view.said[seat];
  if (said === "drop") return "dropped";
  if (said === "blind") return "blind";
  // The last one, when all others have dropped, plays without being asked (JS4).
  return said === "stay" || view.phase === "play" ? "plays" : "asked";
}

/** Whether a seat has reached the target and is safe (JS10). */
export function isSafe(view: View | null, seat: number): boolean {
  return jassView(view)?.standing[seat]?.safe ?? false;
}

/** Whether a seat dropped or was safe in a finished round, or another player ended it alone (JS6). */
export function satOut(view: View, index: number, seat: number): boolean {
  const playing = jassView(view)?.rounds[index]?.playing ?? [];
  return playing.length === 1 || !playing.includes(seat);
}

/** Whether the seats are being asked to stay or drop (JS4). */
export function isAnswering(view: View | null): boolean {
  return jassView(view)?.phase === "answer";
}

/** The Weis a seat has announced in the first trick, in points; undefined later or without one. */
export function weisOf(seen: View | null, seat: number | null): number | undefined {
  const view = weisView(seen);
  if (!view || view.tricks.length > 0) return undefined;
  return view.announced.find((one) => one.seat === seat)?.points;
}

/** Seats that have not yet reached the target (JS10). */
export function seatsInMatch(view: JassView): number[] {
  return view.standing.flatMap((one, seat) => (one.safe ? [] : [seat]));
}

/** Whether a seat only watches this round: it has dropped or is safe (JS4, JS10). */
export function isWatching(view: View | null, seat: number | null): boolean {
  if (seat === null) return false;
  const part = roleOf(view, seat);
  return part === "dropped" || part === "safe";
}

/** What lies on the table beside the trick (JS3). */
export interface Stock {
  kind: "blind" | "dead" | "away" | "shown";
  /** The card lying face up on it. */
  turned: string | null;
  /** Who owns it: the taker of the blind for the discarded hand, the dealer of a shown card. */
  seat: number | null;
}

/** The piles on the table, and with four the card the dealer shows while the others answer. */
export function stocks(view: JassView): Stock[] {
  const { shown, turned, blind: taker } = view;
  if (view.playing.length === 0 || shown === null) return [];
  const players = seatsInMatch(view).length;
  if (players > 3) {
    return view.phase === "answer" ? [{ kind: "shown", turned: shown, seat: view.dealer }] : [];
  }
  const blind: Stock =
    taker === null
      ? { kind: "blind", turned: players === 3 ? turned : null, seat: null }
      : { kind: "away", turned: null, seat: taker };
  // With two players the turned card lies on the dead hand and stays there.
  return players === 2 ? [blind, { kind: "dead", turned, seat: null }] : [blind];
}

/** The best Weis the reader may announce with the next card; null without one. */
export function weisToAnnounce(turn: Turn | null, view: View | null): Meld | null {
  if (!turn?.legal.some((action) => action.endsWith(" weis"))) return null;
  return weisView(view)?.melds[0] ?? null;
}

/** The turned card for the six: what the reader may rob right now; null if they may not. */
export function robOption(turn: Turn | null, seen: View | null): { six: string; card: string } | null {
  const view = jassView(seen);
  if (!turn?.legal.includes("rob") || !view?.trump || !view.turned) return null;
  return { six: `6${view.trump}`, card: view.turned };
}

/** A card's play, with the Weis when it is announced and may be. */
export function playAction(action: string, weis: boolean, turn: Turn | null): string {
  const announced = `${action} weis`;
  return weis && turn?.legal.includes(announced) ? announced : action;
}

/** The seats that play in the round of the latest trick; all in games without dropping. */
export function playersOfLastTrick(seen: View | null): number[] {
  const view = jassView(seen);
  const round = view?.last_trick ? view : view?.rounds.at(-1);
  return [...(round?.playing ?? seen?.standing.keys() ?? [])];
}

/** The cards of a complete trick by seat: only those who play put one (JS4, JS6). */
export function trickCards(trick: Trick, playing: readonly number[]): SeatCard[] {
  const start = playing.indexOf(trick.leader);
  return trick.cards.map((card, index) => [playing[(start + index) % playing.length] ?? trick.leader, card]);
}

/** All points of some melds together. */
export function sumOfMelds(melds: readonly Meld[]): number {
  return melds.reduce((sum, one) => sum + one.points, 0);
}

/** A run or four by its size: `run` of three to nine cards, or four of a `rank`. */
export function meldKind(meld: Meld): "run" | "four" {
  const suits = new Set(meld.cards.map((card) => card[1]));
  return suits.size > 1 ? "four" : "run";
}
