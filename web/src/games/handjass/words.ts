// Texts of Handjass: answers, safe players and the loser.
import { cardName } from "../../cards/cardNames";
import { listNames, m } from "../../i18n";
import type { TableState } from "../../table/tableState";
import type { Deck } from "../../settings/settings.svelte";
import { seatName } from "../../table/playerNames";
import type { PlayerRole, Stock } from "./model";
import type { HandjassEvent, HandjassAnswer } from "./events";

const ANSWER_TEXTS: Record<
  HandjassAnswer,
  { you: () => string; other: (words: { name: string }) => string }
> = {
  stay: { you: m.says_stay_you, other: m.says_stay },
  drop: { you: m.says_drop_you, other: m.says_drop },
  blind: { you: m.says_blind_you, other: m.says_blind },
};

/** One sentence for an event. */
export function handjassEventSentence(event: HandjassEvent, state: TableState, deck: Deck): string {
  const mine = event.seat === state.seat;
  const name = seatName(state.room, event.seat);
  switch (event.kind) {
    case "said":
      return mine ? ANSWER_TEXTS[event.said].you() : ANSWER_TEXTS[event.said].other({ name });
    case "robbed": {
      const card = cardName(event.card, deck);
      return mine ? m.robs_you({ card }) : m.robs({ name, card });
    }
    case "alone":
      return mine ? m.alone_writes_you() : m.alone_writes({ name });
    case "safe":
      return mine ? m.is_safe_you() : m.is_safe({ name });
  }
}

/** The role of a seat as shown on its plate; empty for a player in the round. */
export function roleText(part: PlayerRole, answering: boolean): string {
  switch (part) {
    case "safe":
      return m.part_safe();
    case "dropped":
      return m.part_dropped();
    case "blind":
      return m.part_blind_short();
    case "plays":
      return answering ? m.part_plays() : "";
    case "asked":
      return "";
  }
}

/** The short label of a pile. */
export function stockLabel(stock: Stock): string {
  switch (stock.kind) {
    case "blind":
      return m.stock_label_blind();
    case "dead":
      return m.stock_label_dead();
    case "away":
      return m.stock_label_away();
    case "shown":
      return m.trump();
  }
}

/** The full description of a pile, for screen readers. */
export function stockText(stock: Stock, state: TableState, deck: Deck): string {
  const card = stock.turned ? cardName(stock.turned, deck) : "";
  switch (stock.kind) {
    case "blind":
      return card ? m.stock_blind_turned({ card }) : m.stock_blind();
    case "dead":
      return m.stock_dead({ card });
    case "away":
      return stock.seat === state.seat
        ? m.stock_away_you()
        : m.stock_away({ name: seatName(state.room, stock.seat ?? 0) });
    case "shown":
      return m.shown_card({ card });
  }
}

/** The end of the match: the only player left loses, or all have won (JS10). */
export function matchResultText(winners: readonly number[], state: TableState): string {
  const loser = state.room.seats.findIndex((_, seat) => !winners.includes(seat));
  if (loser < 0) return m.all_win();
  if (loser === state.seat) return m.you_lose();
  if (state.seat !== null) return m.you_win_safe();
  return m.loses({ name: seatName(state.room, loser) });
}

/** The line below the outcome: the loser for a winner, the winners for everybody else. */
export function matchResultNote(winners: readonly number[], state: TableState): string {
  const loser = state.room.seats.findIndex((_, seat) => !winners.includes(seat));
  if (loser < 0) return "";
  if (state.seat !== null && loser !== state.seat) {
    return m.loses({ name: seatName(state.room, loser) });
  }
  return m.winners_are({ names: listNames(winners.map((seat) => seatName(state.room, seat))) });
}
