// The events of Handjass, derived from two states of the table. Pure, so that the picture, the screen
// reader and the tests agree.
import type { Meld, View } from "../../api/messages";
import { callsStoeck } from "../contracts/model";
import { STOECK_POINTS } from "./model";
import { contractView, jassView, weisView } from "../../api/views";

export type JassAnswer = "stay" | "drop" | "blind";

export type JassEvent =
  | { kind: "said"; seat: number; said: JassAnswer }
  | { kind: "robbed"; seat: number; card: string }
  | { kind: "weis"; seat: number; points: number }
  | { kind: "melds"; seat: number; melds: Meld[] }
  | { kind: "stoeck"; seat: number; points: number }
  | { kind: "alone"; seat: number }
  | { kind: "safe"; seat: number };

const ANSWERS: readonly JassAnswer[] = ["stay", "drop", "blind"];

/** The events of an answer or a robbery; none for other actions. */
export function answerEvents(action: string, seat: number, seen: View): JassEvent[] {
  const before = jassView(seen);
  if (!before) return [];
  const said = ANSWERS.find((one) => one === action);
  if (said) return [{ kind: "said", seat, said }];
  if (action === "rob" && before.turned) return [{ kind: "robbed", seat, card: before.turned }];
  return [];
}

/** The Weis announced with a card. */
export function weisEvents(before: View, after: View): JassEvent[] {
  const known = weisView(before)?.announced.length ?? 0;
  return (weisView(after)?.announced ?? [])
    .slice(known)
    .map(({ seat, points }): JassEvent => ({ kind: "weis", seat, points }));
}

/** The Stöck called with a card of a game in contracts, where they count for the side (SC4). */
export function stoeckEvents(before: View, seat: number, card: string): JassEvent[] {
  return callsStoeck(before, seat, card) ? [{ kind: "stoeck", seat, points: STOECK_POINTS }] : [];
}

/**
 * What was scored with a card besides the trick: Stöck, and the melds shown after the first one;
 * `ended` where the round is over with it.
 */
export function scoredMeldEvents(seenBefore: View, seenAfter: View, ended: boolean): JassEvent[] {
  const [before, after] = [weisView(seenBefore), weisView(seenAfter)];
  if (!before || !after) return [];
  const old = before.stoeck;
  const stoeck = (ended ? after.rounds.at(-1)?.stoeck : after.stoeck) ?? [];
  // Where they count for a side, they have been told as they were called.
  const told = contractView(before) !== null;
  const events = stoeck.flatMap((points, seat): JassEvent[] =>
    !told && points > (old[seat] ?? 0) ? [{ kind: "stoeck", seat, points }] : [],
  );
  const shown = before.weis_shown ? null : after.weis_shown;
  return shown ? [...events, { kind: "melds", ...shown }] : events;
}

/** A round that one player ended alone (JS6), and who has reached the target with it (JS10). */
export function remainingPlayerEvents(seenBefore: View, seenAfter: View): JassEvent[] {
  const [before, after] = [jassView(seenBefore), jassView(seenAfter)];
  const playing = after?.rounds.at(-1)?.playing ?? [];
  if (!before || !after) return [];
  const alone = playing.length === 1 ? playing[0] : undefined;
  const safe = after.standing.flatMap((one, seat): JassEvent[] =>
    one.safe && before.standing[seat]?.safe === false ? [{ kind: "safe", seat }] : [],
  );
  return alone === undefined ? safe : [{ kind: "alone", seat: alone }, ...safe];
}

/** A moment of the picture with the melds shown only after the trick has been taken away. */
export function splitMelds<Moment extends { events: readonly { kind: string }[] }>(moment: Moment): Moment[] {
  const melds = moment.events.filter(({ kind }) => kind === "melds");
  if (melds.length === 0) return [moment];
  const others = moment.events.filter(({ kind }) => kind !== "melds");
  return [
    { ...moment, events: others },
    { ...moment, events: melds },
  ];
}
