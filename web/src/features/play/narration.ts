// The news as sentences, for the screen reader's log and for what is announced over the mat.
import { cardName, suitName } from "../../cards/cardNames";
import { words } from "../../cards/richTextToString";
import { actionLabel } from "../../games/actionLabels";
import { heard, sideWins } from "../../games/contracts/words";
import { doubtNewsSentence } from "../../games/i-doubt-it/words";
import { jassSentence, outcome } from "../../games/jass/words";
import { contractView, jassView } from "../../api/views";
import { listed, m } from "../../i18n";
import type { Room } from "../../api/messages";
import type { TableState } from "../../table/tableState";
import type { Deck } from "../../settings/settings.svelte";
import { hostSentence } from "../../table/hostNarration";
import type { News, UndoNews } from "./events";
import { seatName } from "../../table/playerNames";
import { partnersOf, sides } from "../../table/teams";

/** One sentence for a piece of news; null for what needs none. */
export function sentence(news: News, state: TableState, deck: Deck): string | null {
  const { room, seat: me } = state;
  const name = (seat: number): string => seatName(room, seat);
  switch (news.kind) {
    case "dealt":
      return m.round_n({ n: news.round });
    case "drawn":
      return news.dealer === me
        ? m.draw_for_deal_said_you()
        : m.draw_for_deal_said({ name: name(news.dealer) });
    case "trump":
      return trumpSentence(news, state, deck);
    case "bid":
      return news.seat === me ? null : m.bids_n({ name: name(news.seat) });
    case "chose": {
      const said = words(actionLabel(room.game, news.action), deck);
      const contracts = contractView(state.view);
      const what = contracts ? heard(contracts, news.action, said) : said;
      return news.seat === me ? m.you_choose({ what }) : m.chooses({ name: name(news.seat), what });
    }
    case "played":
      return news.seat === me
        ? m.you_play_card({ card: cardName(news.card, deck) })
        : m.plays_card({ name: name(news.seat), card: cardName(news.card, deck) });
    case "trick":
      return news.winner === me
        ? m.you_take_trick()
        : m.takes_trick({ name: name(news.winner) });
    case "molotov":
      return `${m.molotov_bang()} ${molotovTo(news.molotov.seat, news.molotov.points, state)}`;
    case "round":
      return m.round_over({ n: news.number });
    case "annulled":
      return m.round_annulled();
    case "over":
      return winnersSentence(news.winners, state);
    case "away":
      if (news.seat === me) return null;
      return news.by === null
        ? m.has_lapsed({ name: name(news.seat) })
        : m.has_covered({ name: name(news.by), other: name(news.seat) });
    case "back":
      return news.seat === me ? null : m.is_back({ name: name(news.seat) });
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
      return hostSentence(news, state);
    case "sat":
    case "stood":
      return null;
    case "offered":
    case "declined":
    case "swapped":
      return swapSentence(news, state);
    case "rest_taken":
      return news.seat === me ? m.takes_rest_you() : m.takes_rest({ name: name(news.seat) });
    case "undo_asked":
    case "undo_withdrawn":
    case "undo_lapsed":
    case "undo_agreed":
    case "undo_declined":
    case "undone":
      return undoSentence(news, state);
    case "said":
    case "robbed":
    case "weis":
    case "melds":
    case "stoeck":
    case "alone":
    case "safe":
      return jassSentence(news, state, deck);
    case "drew":
    case "missed":
    case "claimed":
    case "passed":
    case "accepted":
    case "revealed":
    case "taken":
      return doubtNewsSentence(news, state);
  }
}

/** Who asks whom to swap seats, who would rather not, and who has; nothing of what one did oneself. */
function swapSentence(
  news: Extract<News, { kind: "offered" | "declined" | "swapped" }>,
  { room, seat: me }: TableState,
): string | null {
  const name = seatName(room, news.seat);
  if (news.kind === "swapped") {
    // They sit in their new seats already.
    const moved = seatName(room, news.other);
    return room.seats[news.seat]?.kind === "open"
      ? m.moved_to_seat({ name: moved, n: news.other + 1 })
      : m.have_swapped({ name: moved, other: name });
  }
  if (news.kind === "declined") return news.other === me ? m.declines_swap({ name }) : null;
  if (news.seat === me) return null;
  return news.other === me
    ? m.asks_you_to_swap({ name })
    : m.asks_to_swap({ name, other: seatName(room, news.other) });
}

/** What is asked about somebody's last card, and what comes of it; nothing of what one said oneself. */
function undoSentence(news: UndoNews, { room, seat: me }: TableState): string | null {
  const name = seatName(room, news.seat);
  if (news.kind === "undo_lapsed") return m.undo_lapsed();
  if (news.kind === "undone") return news.seat === me ? m.undone_you() : m.undone({ name });
  if (news.seat === me) return null;
  switch (news.kind) {
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

/** Where the reader sits now, and with whom he plays; null unless he has changed seats. */
export function movedSentence(before: TableState | null, after: TableState): string | null {
  const { room, seat } = after;
  const moved = before?.room.phase === "open" && room.phase === "open" && before.seat !== seat;
  if (!moved || before.seat === null || seat === null) return null;
  return [m.you_sit_now({ n: seat + 1 }), ...partnersSentence(room, seat)].join(" ");
}

/** With whom whoever sits here plays, told to him; nothing while his partners' seats are free. */
export function partnersSentence(room: Room, seat: number): string[] {
  const partners = partnersOf(room, seat).filter((one) => room.seats[one]?.kind !== "open");
  if (partners.length === 0) return [];
  return [m.you_play_with({ name: listed(partners.map((one) => seatName(room, one))) })];
}

/** Who made trump, and which suit it is; the suit alone where nobody made it. */
export function trumpSentence(
  news: Extract<News, { kind: "trump" }>,
  state: TableState,
  deck: Deck,
): string {
  const suit = suitName(news.suit, deck);
  if (news.by === null) return m.trump_is({ suit });
  if (news.by === state.seat) return m.trump_made_by_you({ suit });
  return m.trump_made_by({ name: seatName(state.room, news.by), suit });
}

/** Whose molotov it is and what it costs. */
export function molotovTo(seat: number, points: number, state: TableState): string {
  return seat === state.seat
    ? m.molotov_to_you({ points })
    : m.molotov_to({ points, name: seatName(state.room, seat) });
}

/** Who won the match. */
export function winnersSentence(winners: readonly number[], state: TableState): string {
  if (jassView(state.view)) return outcome(winners, state);
  if (sides(state).length > 0) return sideWins(winners, state);
  const [first, ...others] = winners;
  if (first === undefined) return m.match_over();
  if (others.length === 0) {
    return first === state.seat ? m.you_win() : m.wins({ name: seatName(state.room, first) });
  }
  const names = winners.map((seat) => seatName(state.room, seat));
  return m.share_win({ names: listed(names) });
}
