// The time a player has for a turn and for a whole match.
import { doubtView } from "../api/views";
import type { Room, View } from "../api/messages";

/** The figures of the server, by the names they have there (`jasstisch.table.state`). */
export const TIME_RULES = { PATIENT_TIMES: 3, FIRST_TIMES: 2, LAST_SECONDS: 5, MOST_LAPSES: 3 } as const;
const { PATIENT_TIMES, FIRST_TIMES, LAST_SECONDS, MOST_LAPSES } = TIME_RULES;

/** Seconds that a seat has for its turn when it begins; null without a limit. */
export function turnTimeAllowed(room: Room, view: View | null, seat: number): number | null {
  const times = room.seats[seat]?.patient ? PATIENT_TIMES : 1;
  const playing = room.phase === "playing";
  const first = playing && !hasLaid(view, seat) ? FIRST_TIMES : 1;
  const turn = room.thinking_time === null ? Infinity : room.thinking_time * times * first;
  const match = playing ? matchTimeLeft(room, seat) : null;
  const seconds = match === null ? turn : Math.min(turn, Math.max(LAST_SECONDS, match));
  return seconds === Infinity ? null : seconds;
}

/** Seconds that a seat has left for all turns of the match, at least 0; null without a total. */
export function matchTimeLeft(room: Room, seat: number): number | null {
  if (room.match_time === null) return null;
  const times = room.seats[seat]?.patient ? PATIENT_TIMES : 1;
  return Math.max(0, room.match_time * times - (room.used[seat] ?? 0));
}

/** Whether a seat is played for until the end of the round, whenever its person wants to go on. */
export function isOutOfTime(room: Room, seat: number): boolean {
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
