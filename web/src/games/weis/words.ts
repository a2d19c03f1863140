// Texts of Weis and Stöck.
import { cardName } from "../../cards/cardNames";
import { listNames, m } from "../../i18n";
import type { Meld } from "../../api/messages";
import type { TableState } from "../../table/tableState";
import type { Deck } from "../../settings/settings.svelte";
import { seatName } from "../../table/playerNames";
import { teamRelation } from "../../table/teams";
import { teamWeisTitle } from "../contracts/words";
import { sumOfMelds } from "./melds";
import type { WeisEvent } from "./events";

/** One sentence for an event. */
export function weisEventSentence(event: WeisEvent, state: TableState, deck: Deck): string {
  const mine = event.seat === state.seat;
  const name = seatName(state.room, event.seat);
  switch (event.kind) {
    case "weis":
      return mine ? m.weis_said_you({ points: event.points }) : m.weis_said({ name, points: event.points });
    case "melds":
      return `${weisTitle(event, state)}. ${event.melds.map((one) => meldText(one, deck)).join(". ")}`;
    case "stoeck":
      return mine ? m.stoeck_to_you({ points: event.points }) : m.stoeck_to({ name, points: event.points });
  }
}

/** The owner of the Weis shown, and their points. */
export function weisTitle(
  { seat, melds }: { seat: number; melds: readonly Meld[] },
  state: TableState,
): string {
  const points = sumOfMelds(melds);
  if (teamRelation(state, seat) !== null) return teamWeisTitle(seat, points, state);
  return seat === state.seat
    ? m.weis_shows_you({ points })
    : m.weis_shows({ name: seatName(state.room, seat), points });
}

/** A meld as a sentence: its points and its cards. */
export function meldText(meld: Meld, deck: Deck): string {
  return `${meld.points}: ${listNames(meld.cards.map((card) => cardName(card, deck)))}`;
}
