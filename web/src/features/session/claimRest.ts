// The cards that are laid after somebody has claimed the rest of a round: they arrive all at once and tell
// nothing new.
import type { Event, Room } from "../../api/messages";
import type { GameEvent } from "../play/events";

/** Whether a card that comes with this event is laid with the rest: since it was taken, cards alone came. */
export function isClaimingRest(resting: boolean, { kind }: Event["event"]): boolean {
  return kind === "rest_taken" || (resting && kind === "acted");
}

/** The announced events of such a card: no card, and only the trick that ends the round. */
export function claimRestEvents(events: GameEvent[], after: Room): GameEvent[] {
  const last = after.phase !== "playing";
  return events.filter(({ kind }) => kind !== "played" && (kind !== "trick" || last));
}
