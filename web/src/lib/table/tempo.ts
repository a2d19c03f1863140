// How long each piece of news stays before the next may be shown. A table that runs ahead of the
// picture is caught up with, so nobody ever watches the past for long.
import type { Speed } from "../settings.svelte";
import type { News } from "./news";

const FACTOR: Record<Speed, number> = { calm: 1.5, normal: 1, brisk: 0.25 };

/** Milliseconds at normal speed. */
const HOLD: Partial<Record<News["kind"], number>> = {
  played: 320,
  trick: 950,
  trump: 1100,
  molotov: 1300,
  drawn: 1600,
  dealt: 450,
};

/** Events behind the table from which the picture hurries, and from which it jumps. */
const HURRY = 6;
const JUMP = 24;

/** How long the picture stands after an event with this news, `waiting` events being behind it. */
export function holdOf(news: readonly News[], speed: Speed, waiting: number): number {
  if (waiting >= JUMP) return 0;
  const longest = Math.max(0, ...news.map((one) => HOLD[one.kind] ?? 0));
  return Math.round(longest * FACTOR[speed] * (waiting >= HURRY ? 0.3 : 1));
}

/** Milliseconds a computer player waits before its move, asked of the server for a new table. */
export const PAUSE: Record<Speed, number> = { calm: 1200, normal: 700, brisk: 150 };
