// The events of Weis and Stöck, derived from two states of the table. Pure, so that the picture, the screen
// reader and the tests agree.
import type { Meld, View } from "../../api/messages";
import { callsStoeck } from "../contracts/model";
import { STOECK_POINTS } from "./melds";
import { contractView, weisView } from "../../api/narrowGameView";

export type WeisEvent =
  | { kind: "weis"; seat: number; points: number }
  | { kind: "melds"; seat: number; melds: Meld[] }
  | { kind: "stoeck"; seat: number; points: number };

/** The Weis announced with a card. */
export function weisEvents(before: View, after: View): WeisEvent[] {
  const known = weisView(before)?.announced.length ?? 0;
  return (weisView(after)?.announced ?? [])
    .slice(known)
    .map(({ seat, points }): WeisEvent => ({ kind: "weis", seat, points }));
}

/** The Stöck called with a card in games with contracts, where they count for the side (SC4). */
export function stoeckEvents(before: View, seat: number, card: string): WeisEvent[] {
  return callsStoeck(before, seat, card) ? [{ kind: "stoeck", seat, points: STOECK_POINTS }] : [];
}

/**
 * The events scored with a card besides the trick: Stöck, and the melds shown after the first trick;
 * `ended` if the round is over with it.
 */
export function scoredMeldEvents(seenBefore: View, seenAfter: View, ended: boolean): WeisEvent[] {
  const [before, after] = [weisView(seenBefore), weisView(seenAfter)];
  if (!before || !after) return [];
  const old = before.stoeck;
  const stoeck = (ended ? after.rounds.at(-1)?.stoeck : after.stoeck) ?? [];
  // In games with contracts Stöck were already reported when they were called.
  const told = contractView(before) !== null;
  const events = stoeck.flatMap((points, seat): WeisEvent[] =>
    !told && points > (old[seat] ?? 0) ? [{ kind: "stoeck", seat, points }] : [],
  );
  const shown = before.weis_shown ? null : after.weis_shown;
  return shown ? [...events, { kind: "melds", ...shown }] : events;
}

/** Splits a moment, so that melds are shown only after the trick has been taken away. */
export function splitMelds<Moment extends { events: readonly { kind: string }[] }>(moment: Moment): Moment[] {
  const melds = moment.events.filter(({ kind }) => kind === "melds");
  if (melds.length === 0) return [moment];
  const others = moment.events.filter(({ kind }) => kind !== "melds");
  return [
    { ...moment, events: others },
    { ...moment, events: melds },
  ];
}
