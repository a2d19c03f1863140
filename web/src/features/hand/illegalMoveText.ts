// Explains why a card may not be played now: the suit led, the reader's cards, and the legal ones
// instead.
import { parseCard, playedCard, SUITS, type Suit } from "../../cards/cards";
import { cardName, suitName } from "../../cards/cardNames";
import { capitalized, m } from "../../i18n";
import { doubtView, handjassView } from "../../api/narrowGameView";
import type { View } from "../../api/messages";
import type { TableState } from "../../table/tableState";
import type { Deck } from "../../settings/settings.svelte";
import { seatName } from "../../table/playerNames";

/** Every reason the server gives for refusing an action. */
export const ILLEGAL_MOVE_REASONS = [
  "follow",
  "follow_trump",
  "follow_or_trump",
  "undertrump",
  "overtrump",
  "trump_if_you_can",
  "not_held",
  "turn",
  "unknown",
  "bid",
  "answer",
  "blind",
  "rob",
  "weis",
  "lay",
  "push",
  "line",
  "contract",
  "pack",
  "over",
] as const;

export type IllegalMoveReason = (typeof ILLEGAL_MOVE_REASONS)[number];

/** The trump ranks, lowest to highest (C2). */
const TRUMP_RANKS = "678TQKA9J";

/** The sentence for a reason, at the table as it is now. */
export function reasonText(reason: string, table: TableState | null, deck: Deck): string {
  const trick = table?.view ? trickText(reason, table.view, playableCards(table), deck) : null;
  if (trick) return trick;
  switch (reason) {
    case "turn":
      return turnText(table);
    case "answer":
      return answerText(table);
    case "rob":
      return robText(table, deck);
    case "not_held":
      return m.reason_not_held();
    case "unknown":
      return m.reason_unknown();
    case "bid":
      return m.reason_bid();
    case "blind":
      return m.reason_blind();
    case "weis":
      return m.reason_weis();
    case "lay":
      return m.reason_lay();
    case "push":
      return m.reason_push();
    case "line":
      return m.reason_line();
    case "contract":
      return m.reason_contract();
    case "pack":
      return m.reason_pack();
    case "over":
      return m.reason_over();
    default:
      return m.reason_other();
  }
}

/** Why a card, in hand or not, may not be played now. */
export function illegalCardText(card: string, table: TableState, deck: Deck): string {
  const { turn, view } = table;
  const refused = turn?.refused[card];
  if (refused) return reasonText(refused.reason, table, deck);
  if (view?.phase === "bid") return m.reason_bid();
  if (view?.needs_pack) return m.reason_pack();
  const playing = turn?.legal.some((action) => playedCard(action) !== null) ?? false;
  const next = view?.to_act.find((seat) => seat !== table.seat);
  if (playing || next === undefined) return m.reason_other();
  return m.reason_turn_of({ name: seatName(table.room, next) });
}

function playableCards(table: TableState): string[] {
  return (table.turn?.legal ?? []).flatMap((action) => playedCard(action) ?? []);
}

/** Why the trick forbids the card; null for other reasons. */
function trickText(reason: string, view: View, playable: readonly string[], deck: Deck): string | null {
  const lead = view.trick[0];
  if (!lead || playable.length === 0) return null;
  const led = parseCard(lead[1]).suit;
  const cause = causeText(reason, view, led, deck);
  if (!cause) return null;
  return capitalized(m.why({ cause, allowed: allowedText(view, led, playable, deck) }));
}

/** The cause: the suit led, a trump in the trick, and the reader's cards. */
function causeText(reason: string, view: View, suitLed: Suit, deck: Deck): string | null {
  const led = suitName(suitLed, deck);
  const trump = view.trump ? suitName(view.trump, deck) : "";
  const top = topTrump(view);
  const holdsLed = view.hand?.some((card) => parseCard(card).suit === suitLed) ?? false;
  switch (reason) {
    case "follow":
    case "follow_or_trump":
      return m.why_led_held({ led });
    case "follow_trump":
      return m.why_trump_led({ trump });
    case "undertrump": {
      const words = { led, top: top ? cardName(top, deck) : trump };
      return holdsLed ? m.why_trumped_held(words) : m.why_trumped_void(words);
    }
    case "overtrump":
      return m.why_higher_held({ led, top: top ? cardName(top, deck) : trump });
    case "trump_if_you_can":
      return m.why_trump_held({ led, trump });
    default:
      return null;
  }
}

/** What may be played instead, derived from the legal cards. */
function allowedText(view: View, led: Suit, playable: readonly string[], deck: Deck): string {
  const suits = new Set(playable.map((card) => parseCard(card).suit));
  const trump = view.trump ? suitName(view.trump, deck) : "";
  const trumps = view.trump !== null && suits.has(view.trump);
  const higher = trumps && led !== view.trump && lowerRefused(view, playable);
  if (led === view.trump) return m.may_trump();
  if (suits.has(led)) {
    if (!trumps) return m.may_follow();
    return higher ? m.may_follow_or_higher({ trump }) : m.may_follow_or_trump({ trump });
  }
  if (SUITS.some((suit) => suit !== view.trump && suits.has(suit))) {
    return higher ? m.may_discard_or_higher() : m.may_discard();
  }
  return higher ? m.may_higher() : m.may_trump();
}

/** Whether only trumps above the highest one on the table may be played (C9). */
function lowerRefused(view: View, playable: readonly string[]): boolean {
  const top = topTrump(view);
  if (!top || view.options.undertrump === "free") return false;
  return playable
    .filter((card) => parseCard(card).suit === view.trump)
    .every((card) => height(card) > height(top));
}

/** The position of a card among the trump ranks. */
function height(card: string): number {
  return TRUMP_RANKS.indexOf(parseCard(card).rank);
}

/** The highest trump in the trick. */
function topTrump(view: View): string | null {
  const trumps = view.trick.map(([, card]) => card).filter((card) => parseCard(card).suit === view.trump);
  return trumps.sort((a, b) => height(b) - height(a))[0] ?? null;
}

function turnText(table: TableState | null): string {
  const next = table?.view?.to_act.find((seat) => seat !== table.seat);
  if (!table || next === undefined) return m.reason_turn();
  return m.reason_turn_of({ name: seatName(table.room, next) });
}

function answerText(table: TableState | null): string {
  if (doubtView(table?.view)?.claim) return m.reason_answer_doubt();
  return handjassView(table?.view)?.blind_open ? m.reason_answer_blind() : m.reason_answer_stay();
}

function robText(table: TableState | null, deck: Deck): string {
  const trump = table?.view?.trump;
  return trump ? m.reason_rob({ six: cardName(`6${trump}`, deck) }) : m.reason_other();
}
