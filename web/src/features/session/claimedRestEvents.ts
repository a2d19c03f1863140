// The cards played after somebody has claimed the rest of a round: they arrive all at once and need no
// announcement.
import type { Event, RoomInfo } from "../../api/messages";
import type { GameEvent } from "../play/gameEvents";

/** Whether this event belongs to a claimed rest, which lasts for as long as only cards follow the claim. */
export function isClaimingRest(resting: boolean, { kind }: Event["event"]): boolean {
  return kind === "rest_taken" || (resting && kind === "acted");
}

/** The events to announce for such a card: not the card itself, and only the trick that ends the round. */
export function claimRestEvents(events: GameEvent[], after: RoomInfo): GameEvent[] {
  const last = after.phase !== "playing";
  return events.filter(({ kind }) => kind !== "played" && (kind !== "trick" || last));
}
