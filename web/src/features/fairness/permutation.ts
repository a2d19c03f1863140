// The order of a pack, computed from the secret and the contributions of the deciding attempt.
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, hexToBytes } from "@noble/hashes/utils.js";
import { FairError } from "./errors";
import type { Contribution } from "./evidence";
import { digest, uint32, type Hash, type MatchId, type HashInput } from "./hashing";

const SUITS = "CDHS";
const RANKS = "23456789TJQKA";
const BLOCK_BYTES = 32;

/**
 * The cards before the shuffle: by suit, then by rank. All are different, so that no more are shuffled than a byte can
 * choose from: the search for a place among more than 256 would never end.
 */
export function sortedPack(cards: readonly string[], pack = 0): string[] {
  const places = new Map(cards.map((card) => [card, placeOf(card, pack)]));
  if (places.size < cards.length) throw new FairError(pack, "a card is there twice");
  return [...cards].sort((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
}

function placeOf(card: string, pack: number): number {
  const [rank = "", suit = ""] = card;
  const known = card.length === 2 && RANKS.includes(rank) && SUITS.includes(suit);
  if (!known) throw new FairError(pack, `not a card: ${card.slice(0, 20)}`);
  return SUITS.indexOf(suit) * RANKS.length + RANKS.indexOf(rank);
}

/** The hash of all contributions to a pack, including those to void attempts. */
export function transcript(
  match: MatchId,
  pack: number,
  attempts: readonly (readonly Contribution[])[],
): Hash {
  const committed = attempts.flatMap((people): HashInput[] => [
    people.length,
    ...people.flatMap((one) => [one.seat, one.commitment]),
  ]);
  const opened = (attempts.at(-1) ?? []).flatMap((one) => one.opening ?? []);
  return digest("deal", match.table, match.number, pack, attempts.length, ...committed, ...opened);
}

/** The pack after a Fisher-Yates shuffle without modulo bias. */
export function packOrder(cards: readonly string[], secret: Hash, deal: Hash, pack = 0): string[] {
  const result = sortedPack(cards, pack);
  const below = randomBelow(secret, deal);
  for (let last = result.length - 1; last > 0; last--) {
    const place = below(last + 1);
    const card = result[last] as string;
    result[last] = result[place] as string;
    result[place] = card;
  }
  return result;
}

/** A generator of whole numbers from 0 to bound − 1; it skips bytes that would bias them. */
export function randomBelow(secret: Hash, deal: Hash): (bound: number) => number {
  let bytes = new Uint8Array(0);
  let used = 0;
  const next = (): number => {
    if (used % BLOCK_BYTES === 0) bytes = Uint8Array.from(randomBlock(secret, deal, used / BLOCK_BYTES));
    return bytes[used++ % BLOCK_BYTES] as number;
  };
  return (bound) => {
    const fair = 256 - (256 % bound);
    let byte = next();
    while (byte >= fair) byte = next();
    return byte % bound;
  };
}

/** HMAC-SHA-256 of a transcript and the number of a block. */
function randomBlock(secret: Hash, transcript: Hash, number: number): Uint8Array {
  return hmac(sha256, hexToBytes(secret), concatBytes(hexToBytes(transcript), uint32(number)));
}
