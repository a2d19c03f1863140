// The source of the table in play: the session of a live table, or the replay of a match.
import type { ConnectionStatus } from "../../api/connection";
import type { DoubtedTurn } from "../../games/i-doubt-it/model";
import type { SeatCard } from "../../table/tableState";
import type { Chat } from "../chat/chat.svelte";
import type { GameEvent } from "./gameEvents";

/** A complete trick that is still shown. */
export interface CompletedTrick {
  cards: SeatCard[];
  winner: number;
  points: number | null;
}

/** A claim whose cards are being turned up, and the milliseconds for which they are shown. */
export interface RevealedClaim {
  turn: DoubtedTurn;
  time: number;
}

export interface PlaySource {
  readonly status: ConnectionStatus;
  /** Whether the connection is up and all missed messages have arrived. */
  readonly current: boolean;
  /** The action sent and not yet answered. */
  readonly sent: string | null;
  /** Whether that action has been on its way for so long that the reader should know. */
  readonly actLate: boolean;
  /** When the reader's thinking time ends, in milliseconds since the epoch; null without a limit. */
  readonly deadline: number | null;
  readonly completedTrick: CompletedTrick | null;
  readonly revealedClaim: RevealedClaim | null;
  /** The events being announced over the mat. */
  readonly announced: GameEvent[];
  readonly chat: Chat;
  /** Sends an action of the game. */
  act(action: string): Promise<boolean>;
  /** Catches the display up with the table at once. */
  catchUp(): void;
  /** Shows the answers to the claim on the table without pauses. */
  skipAnswers(): void;
  /** Shows the rest of the round without pauses. */
  skipToRoundEnd(): void;
}
