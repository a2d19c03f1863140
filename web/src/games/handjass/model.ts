// Handjass: who plays, who has dropped, who is safe, what may be robbed. Pure; the texts are in
// `words.ts`.
import type { HandjassView, Turn, View } from "../../api/messages";
import { handjassView } from "../../api/narrowGameView";

/** The role of a seat in the round: `asked` has still to answer, `plays` takes part. */
export type PlayerRole = "asked" | "plays" | "blind" | "dropped" | "safe";

/** The role of a seat in the round in progress; null between rounds and in other games. */
export function roleOf(seen: View | null, seat: number): PlayerRole | null {
  const view = handjassView(seen);
  if (!view) return null;
  if (view.standing[seat]?.safe) return "safe";
  if (view.playing.length === 0) return null;
  const said = view.said[seat];
  if (said === "drop") return "dropped";
  if (said === "blind") return "blind";
  // If all others have dropped, the last player plays without being asked (JS4).
  return said === "stay" || view.phase === "play" ? "plays" : "asked";
}

/** Whether a seat has reached the target and is safe (JS10). */
export function isSafe(view: View | null, seat: number): boolean {
  return handjassView(view)?.standing[seat]?.safe ?? false;
}

/** Whether a seat dropped or was safe in a finished round, or another player ended it alone (JS6). */
export function satOut(view: View, index: number, seat: number): boolean {
  const playing = handjassView(view)?.rounds[index]?.playing ?? [];
  return playing.length === 1 || !playing.includes(seat);
}

/** Whether the seats are being asked to stay or drop (JS4). */
export function isAnswering(view: View | null): boolean {
  return handjassView(view)?.phase === "answer";
}

/** Seats that have not yet reached the target (JS10). */
export function seatsInMatch(view: HandjassView): number[] {
  return view.standing.flatMap((one, seat) => (one.safe ? [] : [seat]));
}

/** Whether a seat only watches this round: it has dropped or is safe (JS4, JS10). */
export function isWatching(view: View | null, seat: number | null): boolean {
  if (seat === null) return false;
  const part = roleOf(view, seat);
  return part === "dropped" || part === "safe";
}

/** A pile or shown card on the table, apart from the trick (JS3). */
export interface Stock {
  kind: "blind" | "dead" | "away" | "shown";
  /** The card lying face up on it. */
  turned: string | null;
  /** The owner: the taker of the blind for the hand laid away, the dealer for a shown card. */
  seat: number | null;
}

/** The piles on the table, and with four the card the dealer shows while the others answer. */
export function stocks(view: HandjassView): Stock[] {
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

/** The six and the turned card that the reader may rob with it now; null if they may not. */
export function robOption(turn: Turn | null, seen: View | null): { six: string; card: string } | null {
  const view = handjassView(seen);
  if (!turn?.legal.includes("rob") || !view?.trump || !view.turned) return null;
  return { six: `6${view.trump}`, card: view.turned };
}
