// The bids of Differenzler, and the card that made trump.
import type { View } from "../../api/messages";
import { differenzlerView, handjassView } from "../../api/narrowGameView";

export type BidEvent = { kind: "bid"; seat: number; bid: number | null };

/** The event of a bid, whose number may be hidden; none for other actions. */
export function bidEvents(action: string, seat: number, before: View | null): BidEvent[] {
  if (!differenzlerView(before)) return [];
  if (action === "bid") return [{ kind: "bid", seat, bid: null }];
  return action.startsWith("bid ") ? [{ kind: "bid", seat, bid: Number(action.slice(4)) }] : [];
}

/** The bid of a seat as far as the reader knows it. */
export function bidOf(view: View | null, seat: number | null): number | null {
  return seat === null ? null : (differenzlerView(view)?.bids[seat] ?? null);
}

/** The bid of a seat in a finished round. */
export function bidInRound(view: View, index: number, seat: number): number | null {
  return differenzlerView(view)?.rounds[index]?.bids[seat] ?? null;
}

/** Whether a seat has bid while bids are awaited. */
export function hasBid(view: View | null, seat: number): boolean {
  return isBidding(view) && (differenzlerView(view)?.has_bid[seat] ?? false);
}

/** Whether bids are awaited. */
export function isBidding(view: View | null): boolean {
  return view?.phase === "bid" && differenzlerView(view) !== null;
}

/** The card turned up for trump (DF2, JS3); null if trump is made otherwise. */
export function shownCard(view: View): string | null {
  return (differenzlerView(view) ?? handjassView(view))?.shown ?? null;
}
