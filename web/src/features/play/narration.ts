// Events as sentences, for the screen reader's log and for announcements over the mat.
import { cardName, suitName } from "../../cards/cardNames";
import { richTextToString } from "../../cards/richTextToString";
import { actionLabel } from "../../games/actionLabels";
import { contractQuote, teamWinsText } from "../../games/contracts/words";
import type { BidEvent } from "../../games/differenzler/bids";
import { doubtEventSentence } from "../../games/i-doubt-it/words";
import { handjassEventSentence, matchResultText } from "../../games/handjass/words";
import { weisEventSentence } from "../../games/weis/words";
import { contractView, handjassView } from "../../api/narrowGameView";
import { listNames, m } from "../../i18n";
import type { RoomInfo } from "../../api/messages";
import type { TableState } from "../../table/tableState";
import type { Deck } from "../../settings/settings.svelte";
import { hostSentence } from "../../table/hostNarration";
import type { GameEvent, UndoEvent } from "./gameEvents";
import { seatName } from "../../table/playerNames";
import { partnersOf, teamsOf } from "../../table/teams";

/** Whether a bot plays for the reader. */
function isAway({ room, seat }: TableState): boolean {
  return seat !== null && (room.seats[seat]?.away ?? false);
}

/** One sentence for an event; null for what needs none. */
export function eventSentence(event: GameEvent, state: TableState, deck: Deck): string | null {
  const { room, seat: me } = state;
  const name = (seat: number): string => seatName(room, seat);
  switch (event.kind) {
    case "dealt":
      return m.round_n({ n: event.round });
    case "drawn":
      return event.dealer === me
        ? m.draw_for_deal_said_you()
        : m.draw_for_deal_said({ name: name(event.dealer) });
    case "trump":
      return trumpSentence(event, state, deck);
    case "bid":
      return bidSentence(event, state);
    case "chose": {
      const said = richTextToString(actionLabel(room.game, event.action), deck);
      const contracts = contractView(state.view);
      const what = contracts ? contractQuote(contracts, event.action, said) : said;
      if (event.seat !== me) return m.chooses({ name: name(event.seat), what });
      return isAway(state) ? m.computer_chooses_for_you({ what }) : m.you_choose({ what });
    }
    case "played": {
      const card = cardName(event.card, deck);
      if (event.seat !== me) return m.plays_card({ name: name(event.seat), card });
      return isAway(state) ? m.computer_plays_for_you({ card }) : m.you_play_card({ card });
    }
    case "trick":
      return event.winner === me ? m.you_take_trick() : m.takes_trick({ name: name(event.winner) });
    case "molotov":
      return `${m.molotov_bang()} ${molotovSentence(event.molotov.seat, event.molotov.points, state)}`;
    case "round":
      return m.round_over({ n: event.number });
    case "annulled":
      return m.round_annulled();
    case "over":
      return winnersSentence(event.winners, state);
    case "away":
      if (event.seat === me) return null;
      return event.by === null
        ? m.has_lapsed({ name: name(event.seat) })
        : m.has_covered({ name: name(event.by), other: name(event.seat) });
    case "back":
      return event.seat === me ? null : m.is_back({ name: name(event.seat) });
    case "admission":
    case "starters":
    case "writing":
    case "published":
    case "delayed":
    case "relinked":
    case "asked":
    case "removed":
    case "given":
    case "patience":
    case "host":
      return hostSentence(event, state);
    // The reader's own seat is told with the table as seen from there (`seatChangeSentence`, `seatLost`).
    case "sat":
      return event.seat === me ? null : m.moved_to_seat({ name: name(event.seat), n: event.seat + 1 });
    case "stood":
      return event.seat === me ? null : m.left_seat({ name: event.name });
    case "offered":
    case "declined":
    case "swapped":
      return swapSentence(event, state);
    case "rest_taken":
      return event.seat === me ? m.takes_rest_you() : m.takes_rest({ name: name(event.seat) });
    case "undo_asked":
    case "undo_withdrawn":
    case "undo_lapsed":
    case "undo_agreed":
    case "undo_declined":
    case "undone":
      return undoSentence(event, state);
    case "said":
    case "robbed":
    case "alone":
    case "safe":
      return handjassEventSentence(event, state, deck);
    case "weis":
    case "melds":
    case "stoeck":
      return weisEventSentence(event, state, deck);
    case "drew":
    case "missed":
    case "claimed":
    case "passed":
    case "accepted":
    case "revealed":
    case "taken":
      return doubtEventSentence(event, state);
  }
}

/** A bid, with its number if the reader knows it. */
function bidSentence({ seat, bid: n }: BidEvent, state: TableState): string {
  const name = seatName(state.room, seat);
  if (n === null) return m.bids_n({ name });
  if (seat !== state.seat) return m.bids_number({ name, n });
  return isAway(state)
    ? m.computer_chooses_for_you({ what: m.bid_confirm({ n }) })
    : m.bids_number_you({ n });
}

/** Requests to swap seats, refusals and swaps; null for the reader's own actions. */
function swapSentence(
  event: Extract<GameEvent, { kind: "offered" | "declined" | "swapped" }>,
  { room, seat: me }: TableState,
): string | null {
  const name = seatName(room, event.seat);
  if (event.kind === "swapped") {
    // They sit in their new seats already.
    const moved = seatName(room, event.other);
    return room.seats[event.seat]?.kind === "open"
      ? m.moved_to_seat({ name: moved, n: event.other + 1 })
      : m.have_swapped({ name: moved, other: name });
  }
  if (event.kind === "declined") return event.other === me ? m.declines_swap({ name }) : null;
  if (event.seat === me) return null;
  return event.other === me
    ? m.asks_you_to_swap({ name })
    : m.asks_to_swap({ name, other: seatName(room, event.other) });
}

/** Requests to undo and their outcome; null for the reader's own actions. */
function undoSentence(event: UndoEvent, { room, seat: me }: TableState): string | null {
  const name = seatName(room, event.seat);
  if (event.kind === "undo_lapsed") return m.undo_lapsed();
  if (event.kind === "undone") return event.seat === me ? m.undone_you() : m.undone({ name });
  if (event.seat === me) return null;
  switch (event.kind) {
    case "undo_asked":
      return m.asks_undo({ name });
    case "undo_withdrawn":
      return m.withdraws_undo({ name });
    case "undo_agreed":
      return m.agrees_undo({ name });
    case "undo_declined":
      return m.declines_undo({ name });
  }
}

/** The reader's new seat and partners; null unless they have changed seats. */
export function seatChangeSentence(before: TableState | null, after: TableState): string | null {
  const { room, seat } = after;
  const moved = before?.room.phase === "open" && room.phase === "open" && before.seat !== seat;
  if (!moved || before.seat === null || seat === null) return null;
  return [m.you_sit_now({ n: seat + 1 }), ...partnersSentence(room, seat)].join(" ");
}

/** A sentence about a player's partners; none while the partners' seats are free. */
export function partnersSentence(room: RoomInfo, seat: number): string[] {
  const partners = partnersOf(room, seat).filter((one) => room.seats[one]?.kind !== "open");
  if (partners.length === 0) return [];
  return [m.you_play_with({ name: listNames(partners.map((one) => seatName(room, one))) })];
}

/** The player who made trump, and the suit; the suit alone if it was drawn. */
export function trumpSentence(
  event: Extract<GameEvent, { kind: "trump" }>,
  state: TableState,
  deck: Deck,
): string {
  const suit = suitName(event.suit, deck);
  if (event.by === null) return m.trump_is({ suit });
  if (event.by === state.seat) return m.trump_made_by_you({ suit });
  return m.trump_made_by({ name: seatName(state.room, event.by), suit });
}

/** The player of a molotov and its cost. */
export function molotovSentence(seat: number, points: number, state: TableState): string {
  return seat === state.seat
    ? m.molotov_to_you({ points })
    : m.molotov_to({ points, name: seatName(state.room, seat) });
}

/** Who won the match. */
export function winnersSentence(winners: readonly number[], state: TableState): string {
  if (handjassView(state.view)) return matchResultText(winners, state);
  if (teamsOf(state).length > 0) return teamWinsText(winners, state);
  const [first, ...others] = winners;
  if (first === undefined) return m.match_over();
  if (others.length === 0) {
    return first === state.seat ? m.you_win() : m.wins({ name: seatName(state.room, first) });
  }
  const names = winners.map((seat) => seatName(state.room, seat));
  return m.share_win({ names: listNames(names) });
}
