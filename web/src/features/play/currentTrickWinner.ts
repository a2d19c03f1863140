// The card that currently wins an open trick (C7, CT4). The rules are the server's; this only marks the
// card, and a test compares it with the rules. Pure.
import { parseCard, type Suit } from "../../cards/cards";
import { parseContract, rankDirection } from "../../games/contracts/model";
import {
  contractView,
  differenzlerView,
  handjassView,
  molotovView,
  molotowView,
} from "../../api/narrowGameView";
import type { View } from "../../api/messages";

/** The rank order of a trick: a trump suit, aces high (tops) or sixes high (bottoms). */
type Ranking = Suit | "tops" | "bottoms";

const PLAIN_RANKS = "6789TJQKA";
const TRUMP_RANKS = "678TQKA9J";

/**
 * The seat whose card currently wins the trick; null without cards, and in a game that this page does not
 * know.
 */
export function currentTrickWinner(view: View): number | null {
  const ranking = rankingOf(view);
  const led = view.trick[0]?.[1][1];
  if (ranking === null || led === undefined) return null;
  let holder: number | null = null;
  let highest = -1;
  for (const [seat, card] of view.trick) {
    const strength = strengthOf(card, led, ranking);
    if (strength > highest) [holder, highest] = [seat, strength];
  }
  return holder;
}

/** The strength of a card in a trick of the suit led; -1 if it cannot win. */
function strengthOf(card: string, led: string, ranking: Ranking): number {
  const { rank, suit } = parseCard(card);
  if (suit === ranking) return PLAIN_RANKS.length + TRUMP_RANKS.indexOf(rank);
  if (suit !== led) return -1;
  const height = PLAIN_RANKS.indexOf(rank);
  return ranking === "bottoms" ? PLAIN_RANKS.length - 1 - height : height;
}

/** Without trump the ace is highest, also before trump is made in Molotov (C8b, MV2). */
function rankingOf(view: View): Ranking | null {
  const contracted = contractView(view);
  if (contracted) {
    const contract = parseContract(contracted.contract ?? "");
    return contract && (contract.suit ?? rankDirection(contract, contracted.tricks.length));
  }
  const known = handjassView(view) ?? molotovView(view) ?? molotowView(view) ?? differenzlerView(view);
  return known && (known.trump ?? "tops");
}
