// The answers of the text table to the reader's queries, one sentence per line.
import { playedCard, sortHand } from "../../cards/cards";
import { cardName } from "../../cards/cardNames";
import { bidOf, isBidding, shownCard } from "../../games/differenzler/bids";
import { parseContract, rankDirection } from "../../games/contracts/model";
import { rankDirectionText } from "../../games/contracts/words";
import { groupByRank } from "../../games/i-doubt-it/handLayout";
import { mustLay } from "../../games/i-doubt-it/model";
import { claimSentence, drawSentence, missSentence, outcomeSentences } from "../../games/i-doubt-it/words";
import { stocks } from "../../games/handjass/model";
import { playersOfLastTrick, trickCards } from "../../games/trickCards";
import { sumOfMelds, weisToAnnounce } from "../../games/weis/melds";
import { stockText } from "../../games/handjass/words";
import { meldText } from "../../games/weis/words";
import { contractView, doubtView, handjassView, weisView } from "../../api/narrowGameView";
import { listNames, m } from "../../i18n";
import type { LayTurn, View } from "../../api/messages";
import type { TableState } from "../../table/tableState";
import type { Deck } from "../../settings/settings.svelte";
import { matchTimeLeft } from "../../table/timeLeft";
import { partnersSentence, trumpSentence } from "../play/narration";
import { seatName, seatNameWithKind } from "../../table/playerNames";
import { illegalCardText } from "../hand/illegalMoveText";
import { turnText } from "../play/turnText";
import { cardHelp, matchCards } from "./cardParser";
import { commandHelp, commandSynonyms, commandWord, type Query } from "./commands";
import { layHelp } from "./doubtClaimParser";
import { legalActionsText } from "./actionText";
import { contractLine, standingLines } from "./scoreText";

/** The state from which queries are answered. */
export interface QueryContext {
  state: TableState;
  deck: Deck;
  /** The last refusal shown to the reader. */
  refusal: string | null;
  /** Seconds left of the reader's turn; null without a limit. */
  seconds: number | null;
}

/** The lines of an answer; `about` is the subject of the question, if given. */
export function answerQuery(question: Query, asked: QueryContext, about: string | null = null): string[] {
  const { state, deck } = asked;
  switch (question) {
    case "hand":
      return handLines(state, deck);
    case "trick":
      return tableLines(state, deck);
    case "last":
      return lastLines(state, deck);
    case "turn":
      return [turnLine(state)];
    case "trump": {
      const lines = trumpLines(state, deck);
      return lines.length > 0 ? lines : [m.text_not_now({ what: m.trump() })];
    }
    case "score":
      return standingLines(state, deck);
    case "players":
      return playerLines(state);
    case "time":
      return [timeLine(asked)];
    case "why":
      return about === null ? whyLines(asked) : whyCard(about, state, deck);
    case "help":
      return helpLines(state, deck);
  }
}

const named = (cards: readonly string[], deck: Deck): string =>
  listNames(cards.map((card) => cardName(card, deck)));

/** The reader's cards in spoken order: by rank in games of claims. */
export function handInOrder(view: View | null): string[] {
  const hand = view?.hand ?? [];
  return doubtView(view) ? groupByRank(hand).flatMap(({ cards }) => cards) : sortHand(hand);
}

/** The reader's cards, and the Weis among them. */
export function handLines(state: TableState, deck: Deck): string[] {
  const hand = state.view?.hand ?? [];
  if (hand.length === 0) return [m.text_no_cards()];
  const lines = [`${m.your_hand()} (${hand.length}): ${named(handInOrder(state.view), deck)}.`];
  const best = weisToAnnounce(state.turn, state.view);
  const melds = weisView(state.view)?.melds ?? [];
  if (best) {
    lines.push(
      `${m.weis_points({ points: sumOfMelds(melds) })}. ${melds.map((one) => meldText(one, deck)).join(". ")}.`,
    );
  }
  if (best) {
    const word = commandSynonyms(m.text_word_without)[0] ?? "";
    lines.push(m.text_weis_default({ points: best.points, word }));
  }
  const bid = bidOf(state.view, state.seat);
  if (bid !== null) lines.push(`${m.your_bid()}: ${bid}.`);
  return lines;
}

/** The cards on the table. */
export function tableLines(state: TableState, deck: Deck): string[] {
  const doubt = doubtView(state.view);
  if (doubt) {
    const claim = doubt.claim ? [`${claimSentence(doubt.claim, state)}.`] : [];
    return [...claim, `${m.middle_n({ n: doubt.middle })}.`];
  }
  const jass = handjassView(state.view);
  const piles = jass ? stocks(jass).map((stock) => `${stockText(stock, state, deck)}.`) : [];
  const shown = state.view && isBidding(state.view) ? shownCard(state.view) : null;
  if (shown) piles.push(`${m.shown_card({ card: cardName(shown, deck) })}.`);
  const trick = (state.view?.trick ?? []).map(
    ([seat, card]) => `${whose(seat, state)}: ${cardName(card, deck)}`,
  );
  const lying = trick.length > 0 ? [`${trick.join(", ")}.`] : [];
  const all = [...lying, ...piles];
  return all.length > 0 ? all : [m.text_nothing_lies()];
}

const whose = (seat: number, { room, seat: me }: TableState): string =>
  seat === me ? m.you() : seatName(room, seat);

/** The last trick, or the last claims. */
function lastLines(state: TableState, deck: Deck): string[] {
  const doubt = doubtView(state.view);
  if (doubt) return claimLines(doubt.turns, state);
  const { view } = state;
  const trick = view?.last_trick ?? view?.rounds.at(-1)?.tricks.at(-1);
  if (!trick) return [m.last_trick_none()];
  const cards = trickCards(trick, playersOfLastTrick(view)).map(
    ([seat, card]) => `${whose(seat, state)}: ${cardName(card, deck)}`,
  );
  const taker =
    trick.winner === state.seat ? m.trick_to_you() : m.trick_to({ name: seatName(state.room, trick.winner) });
  return [`${cards.join(", ")}. ${taker}.`];
}

/** The number of recent claims that are repeated. */
const CLAIMS_SHOWN = 3;

function claimLines(turns: readonly LayTurn[], state: TableState): string[] {
  const told = turns.filter((turn) => turn.count > 0 || turn.drew === 0).slice(-CLAIMS_SHOWN);
  if (told.length === 0) return [m.claim_log_none()];
  return told.map((turn) => {
    if (turn.rank === null) return `${missSentence(turn.seat, state)}.`;
    const drew = turn.drew > 0 ? `${drawSentence(turn.seat, turn.drew, state)}. ` : "";
    const claim = claimSentence({ seat: turn.seat, rank: turn.rank, count: turn.count }, state);
    const shown = turn.laid ? ` ${m.turned_up({ cards: named(turn.laid, "french") })}` : "";
    return `${drew}${claim}. ${outcomeSentences(turn, state).join(" ") || m.not_settled()}${shown}`;
  });
}

/** Whose turn it is, and what they must do. */
export function turnLine(state: TableState): string {
  const { room, view } = state;
  if (room.phase === "over") return m.match_over();
  if (room.phase === "between") return m.round_over({ n: view?.rounds.length ?? 0 });
  return turnText(state) || m.shuffling();
}

/** The trump or contract; empty in games without. */
export function trumpLines(state: TableState, deck: Deck): string[] {
  if (doubtView(state.view)) return [];
  const contract = contractLine(state, deck);
  const view = contractView(state.view);
  if (view) {
    if (contract === null) return [`${m.not_announced()}.`];
    const played = parseContract(view.contract ?? "");
    const way = played && rankDirection(played, view.tricks.length);
    return [`${contract}.`, ...(way ? [`${rankDirectionText(state, way)}.`] : [])];
  }
  const suit = state.view?.trump;
  return [suit ? trumpSentence({ kind: "trump", suit, by: null }, state, deck) : m.trump_none()];
}

function playerLines(state: TableState): string[] {
  const { room, seat: me, view } = state;
  const first = me ?? 0;
  const order = room.seats.map((_, place) => (first + place) % room.seats.length);
  const lines = order.map((seat) => {
    const told = [
      m.seat_n({ n: seat + 1 }),
      ...(seat === me ? [m.you()] : []),
      ...(view?.dealer === seat ? [m.dealer()] : []),
      ...(view && room.phase === "playing" ? [m.cards_left({ n: view.hand_sizes[seat] ?? 0 })] : []),
      ...(room.seats[seat]?.away ? [m.away_badge()] : []),
    ];
    return `${seatNameWithKind(room, seat)}: ${told.join(", ")}.`;
  });
  return me === null ? lines : [...lines, ...partnersSentence(room, me)];
}

function timeLine({ state, seconds }: QueryContext): string {
  const total = state.seat === null ? null : matchTimeLeft(state.room, state.seat);
  const left = seconds === null ? m.thinking_time_none() : m.seconds_left({ n: seconds });
  const match = total === null ? "" : ` ${m.match_left({ time: m.seconds_left({ n: Math.round(total) }) })}.`;
  return `${m.thinking_time()}: ${left}.${match}`;
}

/** Why an action was refused, the legal actions, and the cards that are not legal. */
function whyLines({ state, deck, refusal }: QueryContext): string[] {
  const refused = Object.keys(state.turn?.refused ?? {});
  const reasons = new Map<string, string[]>();
  for (const card of refused) {
    const why = illegalCardText(card, state, deck);
    reasons.set(why, [...(reasons.get(why) ?? []), card]);
  }
  const playing = state.turn?.legal.some((action) => playedCard(action) !== null) ?? false;
  const not = playing
    ? [...reasons].map(([why, cards]) => m.text_must_not({ cards: named(cards, deck), why }))
    : [];
  return [...(refusal === null ? [] : [refusal]), legalActionsText(state, deck), ...not];
}

/** Why a card may not be played, or that it may. */
function whyCard(about: string, state: TableState, deck: Deck): string[] {
  const hand = state.view?.hand ?? [];
  const cards = matchCards(about, hand, deck);
  if (cards.length === 0) return [m.text_unknown({ text: about }), legalActionsText(state, deck)];
  return cards.map((card) => {
    const name = cardName(card, deck);
    if (!hand.includes(card)) return `${name}: ${m.reason_not_held()}`;
    if (state.turn?.legal.includes(`play ${card}`)) return `${m.card_playable({ card: name })}.`;
    return `${name}: ${illegalCardText(card, state, deck)}`;
  });
}

function helpLines(state: TableState, deck: Deck): string[] {
  const hand = state.view?.hand ?? [];
  const card = sortHand(hand)[0];
  return [
    ...(card && !doubtView(state.view) ? [cardHelp(card, hand, deck)] : []),
    ...(isBidding(state.view) ? [m.text_bid_how()] : []),
    ...(mustLay(state) ? [layHelp(state)] : []),
    legalActionsText(state, deck),
    ...commandHelp(),
    m.text_history_how(),
  ];
}

/** The command for help. */
export const helpWord = (): string => commandWord("help");
