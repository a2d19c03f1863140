// How much time somebody has: for a turn, and for a whole match.
import { doubtView } from "../games/views";
import type { Room, View } from "../messages";

/** Whoever may take longer has so many times the thinking time. */
const PATIENT = 3;
/** The first card of a round, and what is said before it, have so many times the time. */
const FIRST = 2;
/** Seconds that are left for each turn when the time of the match is used up. */
const LEAST = 5;
/** Who lets so many turns of a match pass is played for until the end of the round. */
const MOST_LAPSES = 3;

/** Seconds that a seat has for its turn when it begins; null without a limit. */
export function allowance(room: Room, view: View | null, seat: number): number | null {
  const times = room.seats[seat]?.patient ? PATIENT : 1;
  const playing = room.phase === "playing";
  const first = playing && !hasLaid(view, seat) ? FIRST : 1;
  const turn = room.thinking_time === null ? Infinity : room.thinking_time * times * first;
  const match = playing ? matchLeft(room, seat) : null;
  const seconds = match === null ? turn : Math.min(turn, Math.max(LEAST, match));
  return seconds === Infinity ? null : seconds;
}

/** Seconds that a seat has left for all turns of the match, at least 0; null without a total. */
export function matchLeft(room: Room, seat: number): number | null {
  if (room.match_time === null) return null;
  const times = room.seats[seat]?.patient ? PATIENT : 1;
  return Math.max(0, room.match_time * times - (room.used[seat] ?? 0));
}

/** Whether a seat is played for until the end of the round, whenever its person wants to go on. */
export function outForTheRound(room: Room, seat: number): boolean {
  return (room.seats[seat]?.lapses ?? 0) >= MOST_LAPSES;
}

/** Seconds as a clock shows them: `4:05`. */
export function clockText(seconds: number): string {
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** Whether a seat has laid a card in this round. */
function hasLaid(view: View | null, seat: number): boolean {
  if (!view) return false;
  const turns = doubtView(view)?.turns ?? [];
  return (
    view.tricks.length > 0 ||
    view.trick.some(([one]) => one === seat) ||
    turns.some((one) => one.seat === seat && one.count > 0)
  );
}
