// Verifies that the packs of a match have the order that the evidence gives (docs/fair-deals.md). It knows
// no rules of play: `jasstisch verify` checks that the play followed from these packs.
import { FairError } from "./errors";
import { readEvidence, type Attempt, type Evidence } from "./evidence";
import { CHAIN_LENGTH, commitment, nextLink, type Hash, type MatchId } from "./hashing";
import { packOrder, transcript } from "./permutation";

/** A seat that failed to open in this many packs of a match is not asked again. */
const MAX_MISSES = 3;

export interface MissingContribution {
  pack: number;
  attempt: number;
  seat: number;
}

/** The figures of a successful verification. */
export interface Findings {
  packs: number;
  attempts: number;
  /** For each seat, the number of packs that the contribution of its person helped to decide. */
  contributed: number[];
  misses: MissingContribution[];
  /** The number of packs without any contribution of a person: the server could know them in advance. */
  alone: number;
}

/** The parts of a record needed for verification: packs, seats and evidence. */
export interface FairRecord {
  evidence: Evidence;
  packs: string[][];
  seats: number;
  /** The seats of computers, for which the server would contribute: that counts for nobody. */
  computers?: readonly number[];
  /** Whether the match ended with its last pack; false if its table was closed before. */
  over?: boolean;
}

/** How a record names computers; no person may be called so. */
const BOT_PREFIX = "bot:";

/**
 * The part of a record about its deals; null if there is none. Throws a `FairError` if its form is
 * invalid.
 */
export function readRecord(record: unknown): FairRecord | null {
  if (typeof record !== "object" || record === null || Array.isArray(record))
    throw new FairError(0, "not a record");
  const { fair, players, log, result } = record as Record<string, unknown>;
  if (fair === undefined || fair === null) return null;
  if (!isListOf(players, isText) || !isListOf(log, isEntry)) throw new FairError(0, "not a record");
  const packs = log.flatMap(([who, what]) => (who === "pack" ? [what.split(" ")] : []));
  const computers = players.flatMap((name, seat) => (name.startsWith(BOT_PREFIX) ? [seat] : []));
  return { evidence: readEvidence(fair), packs, seats: players.length, computers, over: Boolean(result) };
}

const isText = (plain: unknown): plain is string => typeof plain === "string";

/** Whether it is an entry of a log: who, or `pack`, and what. */
const isEntry = (plain: unknown): plain is [unknown, string] =>
  Array.isArray(plain) && plain.length === 2 && isText(plain[1]);

function isListOf<Item>(plain: unknown, isItem: (one: unknown) => one is Item): plain is Item[] {
  return Array.isArray(plain) && plain.every(isItem);
}

/** Checks every commitment, secret and order; throws a `FairError` that names the first wrong pack. */
export function verifyDeals({ evidence, packs, seats, computers = [] }: FairRecord): Findings {
  const chain = chainOf(evidence);
  const misses: MissingContribution[] = [];
  packs.forEach((cards, place) => {
    const pack = place + 1;
    const attempts = evidence.packs[place];
    if (!attempts) throw new FairError(pack, `there is evidence of ${evidence.packs.length} packs`);
    checkPeople(attempts, pack, seats, misses);
    attempts.forEach((attempt, index) => {
      chain.check(attempt.secret, pack);
      checkOpenings(evidence.match, pack, index + 1, attempt);
      for (const seat of missing(attempt)) misses.push({ pack, attempt: index + 1, seat });
    });
    const decided = attempts.at(-1) as Attempt;
    const people = attempts.map((attempt) => attempt.people);
    const deal = transcript(evidence.match, pack, people);
    if (packOrder(cards, decided.secret, deal, pack).join(" ") !== cards.join(" ")) {
      throw new FairError(pack, "its cards lie in another order than was decided");
    }
  });
  if (evidence.packs.length !== packs.length) throw new FairError(0, "there are fewer packs");
  chain.checkEnds();
  const deciding = evidence.packs.map((attempts) =>
    (attempts.at(-1)?.people ?? []).map(({ seat }) => seat).filter((seat) => !computers.includes(seat)),
  );
  return {
    packs: packs.length,
    attempts: evidence.packs.reduce((sum, attempts) => sum + attempts.length, 0),
    contributed: Array.from(
      { length: seats },
      (_, seat) => deciding.filter((one) => one.includes(seat)).length,
    ),
    misses,
    alone: deciding.filter((people) => people.length === 0).length,
  };
}

function missing(attempt: Attempt): number[] {
  return attempt.people.flatMap(({ seat, opening }) => (opening === null ? [seat] : []));
}

/** Checks the secrets in order: each must hash to the previous one, or to the end of its chain. */
function chainOf({ match, ends }: Evidence): {
  check(secret: Hash, pack: number): void;
  checkEnds(): void;
} {
  let used = 0;
  let before: Hash | undefined;
  return {
    check(secret, pack) {
      if (used % CHAIN_LENGTH === 0) before = ends[used / CHAIN_LENGTH];
      if (nextLink(match, secret) !== before) {
        throw new FairError(pack, "its secret is not the one that was committed to");
      }
      before = secret;
      used += 1;
    },
    checkEnds() {
      const chains = Math.max(1, Math.ceil(used / CHAIN_LENGTH));
      if (ends.length !== chains) throw new FairError(0, `${chains} chains were used`);
    },
  };
}

/** Checks the seats asked: any at first, then those that opened, until all of them have. */
function checkPeople(
  attempts: readonly Attempt[],
  pack: number,
  seats: number,
  misses: readonly MissingContribution[],
): void {
  const first = attempts[0];
  if (!first) throw new FairError(pack, "there is no attempt at it");
  let asked = first.people.map(({ seat }) => seat);
  asked.forEach((seat, place) => {
    if (seat >= seats || seat <= (asked[place - 1] ?? -1)) {
      throw new FairError(pack, `the seats ${asked.join(", ")} cannot have been asked`);
    }
    if (misses.filter((miss) => miss.seat === seat).length >= MAX_MISSES) {
      throw new FairError(pack, `seat ${seat} has missed too often to be asked`);
    }
  });
  attempts.forEach((attempt, index) => {
    const here = attempt.people.map(({ seat }) => seat);
    const out = missing(attempt);
    if (here.join() !== asked.join()) throw new FairError(pack, "others were asked than remained");
    if (out.length > 0 !== index < attempts.length - 1) {
      throw new FairError(pack, "it was not decided by the first attempt in which all opened");
    }
    asked = asked.filter((seat) => !out.includes(seat));
  });
}

function checkOpenings(match: MatchId, pack: number, attempt: number, { people }: Attempt): void {
  for (const { seat, commitment: committed, opening } of people) {
    if (opening === null) continue;
    if (commitment(match, pack, attempt, seat, opening) !== committed) {
      throw new FairError(pack, `seat ${seat} opened something else than it had committed to`);
    }
  }
}
