// Card ids (`JC`, rank then suit): parsing, sorting and rows of a hand.
export type Suit = "C" | "D" | "H" | "S";
export type Rank = "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "T" | "J" | "Q" | "K" | "A";

export const SUITS: readonly Suit[] = ["C", "D", "H", "S"];
/** The ranks of the pack of 52, low to high; the pack of 36 begins at the six. */
export const RANKS: readonly Rank[] = [..."23456789TJQKA"] as Rank[];

/** The order of suits in a hand: dark and bright suits alternate in both decks. */
const HAND_ORDER: readonly Suit[] = ["C", "D", "S", "H"];

export interface CardParts {
  rank: Rank;
  suit: Suit;
}

/** A card's rank and suit; throws if the text is no card. */
export function parseCard(card: string): CardParts {
  const rank = RANKS.find((one) => one === card[0]);
  const suit = SUITS.find((one) => one === card[1]);
  if (!rank || !suit || card.length !== 2) throw new Error(`not a card: '${card}'`);
  return { rank, suit };
}

/** The cards by suit, each from the ace down; the order never changes during a round. */
export function sortHand(cards: readonly string[]): string[] {
  const place = (card: string): number => {
    const { rank, suit } = parseCard(card);
    return HAND_ORDER.indexOf(suit) * RANKS.length - RANKS.indexOf(rank);
  };
  return [...cards].sort((a, b) => place(a) - place(b));
}

/**
 * A hand in rows of cards. If the cards dealt do not fit into one row, there are two until the upper one
 * is empty. Cards are removed from the upper row first, so the lower one keeps its length.
 */
export function handRows(cards: readonly string[], perRow: number, dealt: number): string[][] {
  const lower = dealt > perRow ? Math.ceil(dealt / 2) : cards.length;
  const upper = Math.max(0, cards.length - lower);
  return [cards.slice(0, upper), cards.slice(upper)].filter((row) => row.length > 0);
}

/** The card that an action plays: `JC` for `play JC weis`; null for other actions. */
export function playedCard(action: string): string | null {
  const [verb, card] = action.split(" ");
  return verb === "play" && card ? card : null;
}
