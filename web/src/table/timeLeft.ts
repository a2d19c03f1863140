// The time a player has for a turn and for a whole match.
import { doubtView } from "../api/narrowGameView";
import type { RoomInfo, View } from "../api/messages";

/** The server's time rules, by their names in `jasstisch.table.turns`. */
export const TIME_RULES = {
  EXTENDED_TIME_FACTOR: 3,
  FIRST_CARD_TIME_FACTOR: 2,
  MIN_TURN_TIME_S: 5,
  MAX_TIMEOUTS: 3,
} as const;
const { EXTENDED_TIME_FACTOR, FIRST_CARD_TIME_FACTOR, MIN_TURN_TIME_S, MAX_TIMEOUTS } = TIME_RULES;

/** The seconds that a seat has at the beginning of its turn; null without a limit. */
export function turnTimeAllowed(room: RoomInfo, view: View | null, seat: number): number | null {
  const times = room.seats[seat]?.patient ? EXTENDED_TIME_FACTOR : 1;
  const playing = room.phase === "playing";
  const first = playing && !hasLaid(view, seat) ? FIRST_CARD_TIME_FACTOR : 1;
  const turn = room.thinking_time === null ? Infinity : room.thinking_time * times * first;
  const match = playing ? matchTimeLeft(room, seat) : null;
  const seconds = match === null ? turn : Math.min(turn, Math.max(MIN_TURN_TIME_S, match));
  return seconds === Infinity ? null : seconds;
}

/** The seconds that a seat has left for all turns of the match, at least 0; null without a limit. */
export function matchTimeLeft(room: RoomInfo, seat: number): number | null {
  if (room.match_time === null) return null;
  const times = room.seats[seat]?.patient ? EXTENDED_TIME_FACTOR : 1;
  return Math.max(0, room.match_time * times - (room.used[seat] ?? 0));
}

/** Whether a seat timed out too often, so that a bot plays for it at least until the end of the round. */
export function isOutOfTime(room: RoomInfo, seat: number): boolean {
  return (room.seats[seat]?.lapses ?? 0) >= MAX_TIMEOUTS;
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
