// Drives the table in play from a replay at the chosen moment. No action is possible.
import { Chat } from "../chat/chat.svelte.ts";
import type { GameEvent } from "../play/gameEvents";
import type { CompletedTrick, PlaySource, RevealedClaim } from "../play/playSource";
import type { Moment } from "./replay";

export class ReplayPlaySource implements PlaySource {
  readonly status = "online";
  readonly current = true;
  readonly sent = null;
  readonly actLate = false;
  readonly deadline = null;
  readonly chat = new Chat();

  constructor(private readonly moment: () => Moment) {}

  /** The trick that the last step completed. */
  get completedTrick(): CompletedTrick | null {
    const trick = this.moment().events.find((one) => one.kind === "trick");
    return trick ? { cards: trick.cards, winner: trick.winner, points: trick.points } : null;
  }

  /** The claim that the last step turned up. */
  get revealedClaim(): RevealedClaim | null {
    const revealed = this.moment().events.find((one) => one.kind === "revealed");
    return revealed ? { turn: revealed.turn, time: 0 } : null;
  }

  /** The draw for the first dealer; other events are shown next to the table, which they would cover. */
  get announced(): GameEvent[] {
    return this.moment().events.filter((one) => one.kind === "drawn");
  }

  act(): Promise<boolean> {
    return Promise.resolve(false);
  }

  catchUp(): void {
    // A replay is never behind.
  }

  skipAnswers(): void {
    // Every step is chosen by the reader.
  }

  skipToRoundEnd(): void {
    // Every step is chosen by the reader.
  }
}
