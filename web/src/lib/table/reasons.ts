// Why a card may not be played now, in words a newcomer understands.
import { parts } from "../cards/cards";
import { suitName } from "../cards/names";
import { m } from "../i18n";
import type { View } from "../messages";
import type { Deck } from "../settings.svelte";

/** Every reason the server gives for refusing an action. */
export const REASONS = [
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
  "pack",
  "over",
] as const;

export type Reason = (typeof REASONS)[number];

/** The sentence for a reason; the suit led is named where there is one. */
export function reasonText(reason: string, view: View | null, deck: Deck): string {
  const led = ledSuit(view, deck);
  switch (reason) {
    case "follow":
      return m.reason_follow({ led });
    case "follow_trump":
      return m.reason_follow_trump({ led });
    case "follow_or_trump":
      return m.reason_follow_or_trump({ led });
    case "undertrump":
      return m.reason_undertrump();
    case "overtrump":
      return m.reason_overtrump();
    case "trump_if_you_can":
      return m.reason_trump_if_you_can();
    case "not_held":
      return m.reason_not_held();
    case "turn":
      return m.reason_turn();
    case "unknown":
      return m.reason_unknown();
    case "bid":
      return m.reason_bid();
    case "pack":
      return m.reason_pack();
    case "over":
      return m.reason_over();
    default:
      return m.reason_other();
  }
}

function ledSuit(view: View | null, deck: Deck): string {
  const lead = view?.trick[0];
  return lead ? suitName(parts(lead[1]).suit, deck) : "–";
}
