// Compares the evidence at the end with what this device has seen of the deals. Apart from the contributor, because
// it is needed only once the match is over.
import { same, seatsOf, type Memory, type Seen } from "./dealContributor";
import { FairError } from "./errors";
import type { Attempt, Evidence } from "./evidence";

/** The packs of a match by the part that this device had in them, each pack in one of the lists. */
export interface PackShares {
  /** A contribution of this device helped decide them. */
  own: number[];
  /** The device had committed to them, and they were decided without it. */
  excluded: number[];
  /** The device took no part: it came later, had no connection, has lost its memory, or only watches. */
  unseen: number[];
}

/** The shares of a device that has seen nothing of a match. */
export function noShares(packs: number): PackShares {
  return { own: [], excluded: [], unseen: Array.from({ length: packs }, (_, place) => place + 1) };
}

/**
 * The part of this device in the packs of the evidence; throws a `FairError` if the evidence contradicts what it has
 * seen. Of a match that `endedEarly`, because its table was closed, a pack may have been called and not dealt.
 */
export function compareEvidence(
  { announcement, ends: known, held, seen: all, opened, last }: Memory,
  { match, ends, packs }: Evidence,
  endedEarly = false,
): PackShares {
  const own = announcement.match;
  if (match.table !== own.table || match.number !== own.number) {
    throw new FairError(0, "the evidence is of another match");
  }
  const shared = Math.min(ends.length, known.length);
  if (shared === 0 || !same(ends.slice(0, shared), known.slice(0, shared))) {
    // The first end is the commitment that people note; a later one belongs to a longer match.
    const replaced = { told: announcement.end, found: ends[0] ?? "" };
    const other = replaced.told !== replaced.found;
    throw new FairError(0, "the server has bound itself to other secrets", other ? replaced : undefined);
  }
  const [seenOf, openedAt] = [new Map(all), new Map(opened)];
  const committed = new Set(held.map(([place]) => Number(place.split(" ")[0])));
  const shares: PackShares = { own: [], excluded: [], unseen: [] };
  let position = 0;
  packs.forEach((attempts, place) => {
    const pack = place + 1;
    const seen = seenOf.get(pack);
    if (seen) compareSeen(seen, attempts, position);
    const [seat, attempt] = openedAt.get(pack) ?? [];
    const decides = attempt === attempts.length && attempts.at(-1)?.people.some((one) => one.seat === seat);
    const share = seen && decides ? "own" : seen && committed.has(pack) ? "excluded" : "unseen";
    shares[share].push(pack);
    position += attempts.length;
  });
  if (last - packs.length > (endedEarly ? 1 : 0)) {
    throw new FairError(last, "it was called and is not in the evidence");
  }
  return shares;
}

/** Compares the attempts at a pack with what was seen of it; `verifyDeals` checks who is asked in each. */
function compareSeen(seen: Seen, attempts: readonly Attempt[], position: number): void {
  const { call, voids } = seen;
  const { pack, commitments } = call;
  if (position !== call.position) throw new FairError(pack, "other attempts were before it");
  const first = attempts[0]?.people.map(({ seat }) => seat) ?? [];
  if (first.join() !== seatsOf(commitments).join()) throw new FairError(pack, "others were called for it");
  attempts.forEach(({ people }, index) => {
    for (const { seat, commitment: committed } of people) {
      if (commitments[seat]?.[index] !== committed) throw new FairError(pack, "others were called");
    }
    const missing = people.filter(({ opening }) => opening === null).map(({ seat }) => seat);
    const told = index < voids.length ? voids[index] : index === attempts.length - 1 ? [] : null;
    if (told && missing.join() !== told.join()) throw new FairError(pack, "others were missing");
  });
  const [least, most] = seen.attempts;
  if (attempts.length < least || attempts.length > most) {
    throw new FairError(pack, "another attempt decided it");
  }
}
