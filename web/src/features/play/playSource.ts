// What drives the table in play: the session of a live table, or the replay of a match.
import type { ConnectionStatus } from "../../api/connection";
import type { DoubtedTurn } from "../../games/i-doubt-it/model";
import type { SeatCard } from "../../table/tableState";
import type { Chat } from "../chat/chat.svelte";
import type { GameEvent } from "./events";

/** A complete trick that still lies on the table for everybody to see. */
export interface CompletedTrick {
  cards: SeatCard[];
  winner: number;
  points: number | null;
}

/** A claim whose cards are being turned up, and for how many milliseconds they are shown. */
export interface RevealedClaim {
  turn: DoubtedTurn;
  time: number;
}

export interface PlaySource {
  readonly status: ConnectionStatus;
  /** The connection is up, and everything missed while it was down has arrived. */
  readonly current: boolean;
  /** The action sent and not yet answered. */
  readonly sent: string | null;
  /** When the reader's thinking time ends, in milliseconds since the epoch; null without a limit. */
  readonly deadline: number | null;
  readonly completedTrick: CompletedTrick | null;
  readonly revealedClaim: RevealedClaim | null;
  /** Events that are announced over the mat now. */
  readonly announced: GameEvent[];
  readonly chat: Chat;
  /** Sends an action of the game. */
  act(action: string): Promise<void>;
  /** Shows everything that has happened at once. */
  catchUp(): void;
  /** Shows the answers to the claim on the table without pauses. */
  skipAnswers(): void;
  /** Shows the rest of the round without pauses. */
  skipToRoundEnd(): void;
}
