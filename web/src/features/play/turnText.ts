// Whose turn it is and what the reader is asked to do.
import { bidOf, isBidding } from "../../games/differenzler/bids";
import { isChoice } from "../../games/generic/nonCardActions";
import { cardsToLay, mustAnswer, mustLay, CARDS_PER_CLAIM } from "../../games/i-doubt-it/model";
import { isAnswering } from "../../games/handjass/model";
import { doubtView } from "../../api/narrowGameView";
import { m } from "../../i18n";
import type { TableState } from "../../table/tableState";
import { seatName } from "../../table/playerNames";

/** What the table waits for; empty between rounds. `chosen`: cards chosen for a claim so far. */
export function turnText(state: TableState, chosen = 0): string {
  if (!state.view) return "";
  return doubtView(state.view) ? claimTurn(state, chosen) : trickTurn(state);
}

/** Whether the reader's turn is new: its legal actions differ from those before. */
export function isNewTurn(before: TableState | null, { turn }: TableState): boolean {
  if (!turn) return false;
  const asked = before?.turn?.legal;
  return asked?.join("|") !== turn.legal.join("|");
}

function trickTurn({ view, room, seat: me, turn }: TableState): string {
  if (!view) return "";
  const mine = turn !== null && room.phase === "playing";
  const others = view.to_act.filter((seat) => seat !== me);
  if (isBidding(view)) {
    return mine ? m.your_turn_bid() : bidOf(view, me) === null ? "" : m.bids_awaited();
  }
  if (view.needs_pack) return m.shuffling();
  if (isChoice(view) && mine) {
    if (view.phase === "announce") return m.your_turn_announce();
    return isAnswering(view) ? m.your_turn_answer() : m.your_turn();
  }
  const next = others[0];
  if (isChoice(view) && next !== undefined) return m.answer_of({ name: seatName(room, next) });
  if (mine) return view.trick.length === 0 ? m.your_turn_lead() : m.your_turn();
  return next === undefined ? "" : m.turn_of({ name: seatName(room, next) });
}

function claimTurn(state: TableState, chosen: number): string {
  const { view, room } = state;
  if (!view) return "";
  if (view.needs_pack) return m.shuffling();
  if (mustLay(state)) {
    const total = cardsToLay(view);
    return total === CARDS_PER_CLAIM && chosen < total ? m.choose_three() : m.your_turn_claim();
  }
  if (mustAnswer(state)) return m.do_you_doubt();
  const next = view.to_act[0];
  if (next === undefined) return "";
  const name = seatName(room, next);
  return view.phase === "answer" ? m.may_doubt({ name }) : m.turn_of({ name });
}
