// Checks this second implementation of docs/fair-deals.md with the same test vectors as the first.
import { describe, expect, it } from "vitest";
import vectors from "../../../../docs/fair-deals.json";
import { FairError } from "./errors";
import { readEvidence } from "./evidence";
import {
  CHAIN_LENGTH,
  FORMAT,
  commitment,
  digest,
  encode,
  matchId,
  nextLink,
  randomHash,
  type Hash,
} from "./hashing";
import { randomBelow, packOrder, sortedPack, transcript } from "./permutation";
import { readRecord, verifyDeals, type FairRecord } from "./verify";
import { DealContributor, type Call } from "./dealContributor";
import { compareEvidence } from "./compareEvidence";

const match = matchId(vectors.table, vectors.match.number);

/** The published match as a record; if a path is given, its evidence is changed there. */
function record(path: readonly (string | number)[] = [], value: unknown = null): object {
  const fair = structuredClone(vectors.record.fair) as unknown;
  const last = path.at(-1);
  let place = fair as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) place = place[key] as typeof place;
  if (last !== undefined) place[last] = value;
  const players = Array.from({ length: vectors.record.seats }, (_, seat) => `Player ${seat}`);
  return { players, log: vectors.record.packs.map((cards) => ["pack", cards]), fair };
}

function read(...change: Parameters<typeof record>): FairRecord {
  return readRecord(record(...change)) as FairRecord;
}

/** The pack at which a check fails. */
function wrongPack(check: () => unknown): number {
  try {
    check();
  } catch (error) {
    if (error instanceof FairError) return error.pack;
    throw error;
  }
  throw new Error("nothing was found");
}

describe("hashing and permutation by the test vectors", () => {
  it("uses the format and chain length of the vectors", () => {
    expect(vectors.format).toBe(FORMAT);
    expect(match).toEqual(vectors.match);
    expect(vectors.chain.length).toBe(CHAIN_LENGTH);
  });

  it("encodes and hashes values as in the vectors", () => {
    for (const { purpose, parts, bytes, hash } of vectors.hashes) {
      expect(encode(purpose, ...parts)).toBe(bytes);
      expect(digest(purpose, ...parts)).toBe(hash);
    }
  });

  it("hashes each secret of the chain to the one before it", () => {
    const { ends, secrets } = vectors.chain;
    expect(nextLink(match, secrets["0"])).toBe(ends[0]);
    expect(nextLink(match, secrets["1"])).toBe(secrets["0"]);
    expect(nextLink(match, secrets["256"])).toBe(ends[1]);
    let link: Hash = secrets["255"];
    for (let step = 0; step < CHAIN_LENGTH; step++) link = nextLink(match, link);
    expect(link).toBe(ends[0]);
  });

  it("computes the commitment of the vectors", () => {
    const { pack, attempt, seat, contribution, commitment: made } = vectors.commitment;
    expect(commitment(match, pack, attempt, seat, contribution)).toBe(made);
  });

  it("computes the transcript hashes of the vectors", () => {
    for (const { pack, people, hash } of vectors.transcripts) {
      expect(transcript(match, pack, people)).toBe(hash);
    }
  });

  it("shuffles as in the vectors, whatever the order of the input", () => {
    for (const { cards, secret, transcript: deal, order: shuffled } of vectors.orders) {
      const pack = cards.split(" ");
      expect(packOrder(pack, secret, deal).join(" ")).toBe(shuffled);
      expect(packOrder([...pack].reverse(), secret, deal).join(" ")).toBe(shuffled);
    }
  });
});

describe("DealContributor in the published match", () => {
  it("commits, opens and compares as published", () => {
    const { seat, announcement, chance: drawn, steps, own } = vectors.witness;
    const given = drawn.values();
    const one = new DealContributor(announcement, vectors.record.seats, () => given.next().value as Hash);
    for (const step of steps) {
      if (step.commit !== undefined) expect(one.commit(step.commit, seat)).toEqual(step.answer);
      // TypeScript merges the steps' types, so keys that only some calls have become optional: cast.
      if (step.call) expect(one.open(step.call as unknown as Call, seat)).toBe(step.answer);
      if (step.void) expect(one.openAfterVoid(step.void, seat)).toBe(step.answer);
      if (step.next_pack !== undefined) one.noteNextPack(step.next_pack, step.decided);
    }
    expect(compareEvidence(one.memory, readEvidence(vectors.record.fair)).own).toHaveLength(own);
  });
});

describe("sortedPack and randomBelow", () => {
  it("sorts cards by suit and rank, and rejects invalid cards", () => {
    expect(sortedPack(["AS", "TC", "6D", "2C", "JC"])).toEqual(["2C", "TC", "JC", "6D", "AS"]);
    for (const wrong of ["", "6", "6X", "1C", "10C", "6c"]) {
      expect(wrongPack(() => sortedPack(["6C", wrong], 7))).toBe(7);
    }
  });

  it.each([2, 257])("rejects a pack of %i equal cards", (count) => {
    expect(
      wrongPack(() => packOrder(Array<string>(count).fill("6C"), "ab".repeat(32), "cd".repeat(32), 7)),
    ).toBe(7);
  });

  it("draws every number equally often, also from a range of one", () => {
    const below = randomBelow("ab".repeat(32), "cd".repeat(32));
    const counts = Array.from({ length: 36 }, () => 0);
    for (let i = 0; i < 36_000; i++) counts[below(36)]! += 1;
    const square = counts.reduce((sum, n) => sum + (n - 1000) ** 2 / 1000, 0);
    // A fair die with 36 sides exceeds this chi-squared value once in a million times.
    expect(square).toBeLessThan(90.4);
    expect(below(1)).toBe(0);
  });
});

describe("verifyDeals and readRecord", () => {
  it("returns the figures of a valid match", () => {
    const { packs, attempts, contributed, misses, alone } = verifyDeals(read());
    expect(alone).toBe(vectors.record.alone);
    expect(packs).toBe(vectors.record.packs.length);
    expect(attempts).toBe(vectors.record.attempts);
    expect(Object.fromEntries(contributed.entries())).toEqual(vectors.record.contributed);
    expect(misses.map(({ pack, attempt, seat }) => [pack, attempt, seat])).toEqual(vectors.record.misses);
  });

  it("counts for nobody what the seats of computers contribute", () => {
    const { computers, contributed, alone } = vectors.record.with_computers;
    const found = verifyDeals({ ...read(), computers });
    expect(Object.fromEntries(found.contributed.entries())).toEqual(contributed);
    expect(found.alone).toBe(alone);
    const players = ["bot:club", "Anna", "bot:club", "Reto"];
    const log = vectors.record.packs.map((cards) => ["pack", cards]);
    expect(readRecord({ players, log, fair: vectors.record.fair })?.computers).toEqual(computers);
  });

  it.each(vectors.broken)("rejects a match with $what", ({ path, value, pack }) => {
    expect(wrongPack(() => verifyDeals(read(path, value)))).toBe(pack);
  });

  it.each(vectors.forged)("rejects a match with $what, although its hashes are valid", (one) => {
    const packs = one.packs.map((cards) => cards.split(" "));
    const evidence = readEvidence(one.fair);
    expect(wrongPack(() => verifyDeals({ evidence, packs, seats: 4 }))).toBe(one.pack);
  });

  it("reports whichever pack was changed", () => {
    vectors.record.packs.forEach((_, place) => {
      const { evidence, packs, seats } = read();
      const cards = packs[place] as string[];
      packs[place] = [cards[1] as string, cards[0] as string, ...cards.slice(2)];
      expect(wrongPack(() => verifyDeals({ evidence, packs, seats }))).toBe(place + 1);
    });
  });

  it("reports the first of several wrong packs", () => {
    const { evidence, packs, seats } = read(["packs", 3, 0, "secret"], "0".repeat(64));
    packs[1]?.reverse();
    expect(wrongPack(() => verifyDeals({ evidence, packs, seats }))).toBe(2);
  });

  it("rejects evidence with any changed character", () => {
    const text = JSON.stringify(vectors.record.fair);
    const { packs, seats, evidence } = read();
    for (let place = 0; place < text.length; place += 7) {
      const sign = String.fromCharCode(text.charCodeAt(place) ^ 1);
      const changed = text.slice(0, place) + sign + text.slice(place + 1);
      let other: unknown;
      try {
        other = JSON.parse(changed);
      } catch {
        continue; // no JSON is no evidence either
      }
      expect(() => verifyDeals({ evidence: readEvidence(other), packs, seats }), sign).toThrow(FairError);
    }
    expect(verifyDeals({ evidence, packs, seats }).packs).toBe(packs.length);
  });

  it("returns null without evidence, and rejects evidence of another form", () => {
    expect(readRecord({ players: [], log: [] })).toBeNull();
    for (const fair of ["yes", [], {}, { ...vectors.record.fair, more: 1 }]) {
      expect(wrongPack(() => readRecord({ players: [], log: [], fair }))).toBe(0);
    }
    expect(wrongPack(() => readRecord(null))).toBe(0);
    expect(wrongPack(() => readRecord({ fair: {} }))).toBe(0);
  });

  it("continues with the next chain after the last secret of one", () => {
    const chains = [0, 1].map(() => {
      const links = [randomHash()];
      while (links.length <= CHAIN_LENGTH) links.push(nextLink(match, links.at(-1) as Hash));
      return links.reverse();
    });
    const ends = chains.map(([end]) => end as Hash);
    const secrets = [...(chains[0] ?? []).slice(1), ...(chains[1] ?? []).slice(1, 3)];
    const packs = secrets.map((secret, place) =>
      packOrder(["6C", "7C", "8C"], secret, transcript(match, place + 1, [[]])),
    );
    const attempts = secrets.map((secret) => [{ secret, people: [] }]);
    const evidence = { match, ends, packs: attempts };
    expect(verifyDeals({ evidence, packs, seats: 4 }).packs).toBe(CHAIN_LENGTH + 2);
    const one = { ...evidence, ends: ends.slice(0, 1) };
    expect(wrongPack(() => verifyDeals({ evidence: one, packs, seats: 4 }))).toBe(CHAIN_LENGTH + 1);
  });
});
