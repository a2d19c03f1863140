// Texts of I Doubt It: claims, answers and outcomes, for the picture and the screen reader.
import type { Rank } from "../../cards/cards";
import { cardName } from "../../cards/cardNames";
import { listNames, m, type Locale } from "../../i18n";
import type { IDoubtItRound, LayTurn } from "../../api/messages";
import type { TableState } from "../../table/tableState";
import { seatName } from "../../table/playerNames";
import type { DoubtedTurn, DoubtEvent } from "./model";

type Words = (words?: Record<string, never>, options?: { locale?: Locale }) => string;

/** One card of a rank as the object of a sentence: `einen Buben`. */
const SINGULAR: Record<Rank, Words> = {
  "2": m.one_2,
  "3": m.one_3,
  "4": m.one_4,
  "5": m.one_5,
  "6": m.one_6,
  "7": m.one_7,
  "8": m.one_8,
  "9": m.one_9,
  T: m.one_t,
  J: m.one_j,
  Q: m.one_q,
  K: m.one_k,
  A: m.one_a,
};

/** Several cards of a rank: `Buben`, `valets`, `fanti`. */
const PLURAL: Record<Rank, Words> = {
  "2": m.many_2,
  "3": m.many_3,
  "4": m.many_4,
  "5": m.many_5,
  "6": m.many_6,
  "7": m.many_7,
  "8": m.many_8,
  "9": m.many_9,
  T: m.many_t,
  J: m.many_j,
  Q: m.many_q,
  K: m.many_k,
  A: m.many_a,
};

/** The claimed cards: `drei Buben`, `einen Buben`. */
export function claimText(rank: Rank, count: number): string {
  if (count === 1) return SINGULAR[rank]();
  return count === 2 ? m.two_of({ ranks: PLURAL[rank]() }) : m.three_of({ ranks: PLURAL[rank]() });
}

/** A rank's name on a button, in the plural: `jacks`. */
export function rankName(rank: Rank, locale?: Locale): string {
  return PLURAL[rank]({}, locale ? { locale } : {});
}

/** Who claims what: `Anna behauptet drei Buben`. */
export function claimSentence(claim: { seat: number; rank: Rank; count: number }, state: TableState): string {
  const what = claimText(claim.rank, claim.count);
  if (claim.seat === state.seat) return m.you_claim({ what });
  return m.claims({ name: seatName(state.room, claim.seat), what });
}

/** What the reader is about to do: `You lay three cards and claim three jacks.` */
export function laySentence(rank: Rank, count: number): string {
  const what = claimText(rank, count);
  if (count === 1) return m.lay_one_claim({ what });
  return count === 2 ? m.lay_two_claim({ what }) : m.lay_three_claim({ what });
}

/** The subject of a sentence, in the form for the reader or for another player. */
function who(seat: number, state: TableState, you: Words, other: (p: { name: string }) => string) {
  return seat === state.seat ? you() : other({ name: seatName(state.room, seat) });
}

/** Who doubts. */
export function doubtSentence(seat: number, state: TableState): string {
  return who(seat, state, m.you_doubt, m.doubts);
}

/** Who passes. */
export function passSentence(seat: number, state: TableState): string {
  return who(seat, state, m.you_pass, m.passes);
}

/** The verdict on the cards turned up. */
export function verdictText(truth: boolean): string {
  return truth ? m.verdict_true() : m.verdict_lie();
}

/** Who takes how many cards. */
export function takeSentence(taker: number, n: number, state: TableState): string {
  if (n === 1) return who(taker, state, m.you_take_one, m.takes_one);
  if (taker === state.seat) return m.you_take_cards({ n });
  return m.takes_cards({ n, name: seatName(state.room, taker) });
}

/** The chip that a caught liar pays to the doubter, if the table has this rule (ID9). */
export function feeSentence(turn: LayTurn, state: TableState): string | null {
  const { seat, doubter, truth } = turn;
  if (doubter === null || truth !== false || state.room.options.lie_fee !== 1) return null;
  const names = { name: seatName(state.room, seat), other: seatName(state.room, doubter) };
  if (seat === state.seat) return m.you_pay_chip(names);
  return doubter === state.seat ? m.pays_you_chip(names) : m.pays_chip(names);
}

/** The sentence for a missed turn (ID5). */
export function missSentence(seat: number, state: TableState): string {
  return who(seat, state, m.you_miss, m.misses);
}

/** Who draws how many cards from the middle (ID5). */
export function drawSentence(seat: number, count: number, state: TableState): string {
  if (count === 1) return who(seat, state, m.you_draw_one, m.draws_one);
  if (seat === state.seat) return m.you_draw_cards({ n: count });
  return m.draws_cards({ n: count, name: seatName(state.room, seat) });
}

/** How a claim ended, one short sentence after the other; empty while it is being answered. */
export function outcomeSentences(turn: LayTurn, state: TableState): string[] {
  const { doubter, truth, taker } = turn;
  if (doubter !== null && truth !== null && taker !== null) {
    return [
      `${doubtSentence(doubter, state)}.`,
      verdictText(truth),
      `${takeSentence(taker, turn.taken, state)}.`,
      ...feeSentences(turn, state),
    ];
  }
  return turn.passed.length === state.room.seats.length - 1 ? [m.nobody_doubts()] : [];
}

function feeSentences(turn: LayTurn, state: TableState): string[] {
  const fee = feeSentence(turn, state);
  return fee === null ? [] : [`${fee}.`];
}

/** One sentence for an event, for screen readers. */
export function doubtEventSentence(event: DoubtEvent, state: TableState): string {
  switch (event.kind) {
    case "drew":
      return `${drawSentence(event.seat, event.count, state)}.`;
    case "missed":
      return `${missSentence(event.seat, state)}.`;
    case "claimed":
      return `${claimSentence(event, state)}.`;
    case "passed":
      return `${passSentence(event.seat, state)}.`;
    case "accepted":
      return m.nobody_doubts();
    case "revealed":
      return revealSentence(event.turn, state);
    case "taken":
      return `${takeSentence(event.seat, event.count, state)}.`;
  }
}

function revealSentence(turn: DoubtedTurn, state: TableState): string {
  const cards = listNames(turn.laid.map((card) => cardName(card, "french")));
  const doubts = `${doubtSentence(turn.doubter, state)}.`;
  const told = [doubts, m.turned_up({ cards }), verdictText(turn.truth)];
  return [...told, ...feeSentences(turn, state)].join(" ");
}

/** Why a deal ended: a player has no cards left, or the claim limit was reached (ID8). */
export function dealResultSentence(round: IDoubtItRound, state: TableState): string {
  const empty = round.left.indexOf(0);
  if (empty < 0) return m.deal_ended_claims({ n: round.claims });
  return who(empty, state, m.deal_ended_you, m.deal_ended_empty);
}
