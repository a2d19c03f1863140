// How long each event is shown before the next. A display that lags behind the table catches up, so that
// nobody sees an outdated table for long.
import type { Speed } from "../../settings/settings.svelte";
import type { GameEvent } from "./gameEvents";

const SPEED_FACTOR: Record<Speed, number> = { calm: 1.5, normal: 1, brisk: 0.25 };

/** Milliseconds at normal speed. */
const EVENT_DURATION_MS: Partial<Record<GameEvent["kind"], number>> = {
  played: 320,
  trick: 950,
  trump: 1100,
  molotov: 1300,
  drawn: 1600,
  dealt: 450,
  said: 600,
  chose: 1000,
  robbed: 1300,
  weis: 700,
  melds: 2800,
  stoeck: 1300,
  alone: 1800,
  rest_taken: 1800,
  // A claim with the answers of three players and its result takes five seconds at most.
  claimed: 700,
  passed: 280,
  accepted: 600,
  revealed: 3000,
  taken: 400,
  drew: 600,
  missed: 600,
};

/** How long the trick that ends a round is shown, however far the table is ahead. */
const LAST_TRICK_MS: Record<Speed, number> = { calm: 3000, normal: 2000, brisk: 1200 };

/** The backlog of messages from which the display hurries, and from which it jumps. */
const HURRY_BACKLOG = 6;
const JUMP_BACKLOG = 24;

/** Events that are shortened less when hurrying: the reveal of a claim matters most. */
const HURRIED_FACTOR: Partial<Record<GameEvent["kind"], number>> = { revealed: 0.7 };

/**
 * How long these events are shown, with `waiting` messages behind them. `last`: a trick ends the round,
 * and what follows will cover it.
 */
export function displayTime(
  events: readonly GameEvent[],
  speed: Speed,
  waiting: number,
  last = false,
): number {
  if (last && events.some(({ kind }) => kind === "trick")) {
    return Math.max(LAST_TRICK_MS[speed], displayTime(events, speed, waiting));
  }
  if (waiting >= JUMP_BACKLOG) return 0;
  const holds = events.map(({ kind }) => {
    return (EVENT_DURATION_MS[kind] ?? 0) * (waiting >= HURRY_BACKLOG ? (HURRIED_FACTOR[kind] ?? 0.3) : 1);
  });
  return Math.round(Math.max(0, ...holds) * SPEED_FACTOR[speed]);
}

/** How long a bot pauses before its move, as requested for a new table. */
export const BOT_PAUSE_MS: Record<Speed, number> = { calm: 1200, normal: 700, brisk: 150 };
