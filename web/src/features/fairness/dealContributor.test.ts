import { describe, expect, it } from "vitest";
import { compareEvidence, type PackShares } from "./compareEvidence";
import type { Evidence } from "./evidence";
import { FairError } from "./errors";
import { CHAIN_LENGTH, commitment, digest, matchId, nextLink, type Hash } from "./hashing";
import { DealContributor, type Call, type Void } from "./dealContributor";

const SEATS = 4;
const OTHER = "f".repeat(64);
const match = matchId("a table", 2);

/** A chain's links in the order in which they are used, starting with its end. */
const [end, ...secrets] = (() => {
  const links: Hash[] = ["07".repeat(32)];
  while (links.length <= CHAIN_LENGTH) links.push(nextLink(match, links.at(-1) as Hash));
  return links.reverse();
})() as [Hash, ...Hash[]];

/** A generator of hashes that are determined by a name. */
function random(name: string): () => Hash {
  let count = 0;
  const seed = [...name].map((sign) => sign.charCodeAt(0).toString(16).padStart(2, "0")).join("");
  return () => digest("example", seed, count++);
}

interface Scene {
  one: DealContributor;
  other: DealContributor;
  call: Call;
}

/** A first pack to which seats 0 and 2 have committed. */
function scene(): Scene {
  const [one, other] = ["one", "other"].map(
    (name) => new DealContributor({ match, end }, SEATS, random(name)),
  ) as [DealContributor, DealContributor];
  const commitments = { 0: one.commit(1, 0).slice(0, 2), 2: other.commit(1, 2).slice(0, 2) };
  return { one, other, call: { pack: 1, position: 0, ends: [end], commitments } };
}

/** The evidence that the server publishes for the first pack in the end. */
function evidence(call: Call, openings: Record<number, (Hash | null)[]>): Evidence {
  const attempts = Math.max(...Object.values(openings).map((opened) => opened.length));
  return {
    match,
    ends: [end],
    packs: [
      Array.from({ length: attempts }, (_, index) => ({
        secret: secrets[index] as Hash,
        people: Object.entries(openings).flatMap(([seat, opened]) => {
          const opening = opened[index];
          const committed = call.commitments[Number(seat)]?.[index] as Hash;
          if (opening === undefined) return [];
          return [{ seat: Number(seat), commitment: committed, opening }];
        }),
      })),
    ],
  };
}

const compared = (one: DealContributor, said: Evidence): PackShares => compareEvidence(one.memory, said);

describe("DealContributor", () => {
  it("commits to a fresh number for each attempt, for its own seat", () => {
    const { one, call } = scene();
    const opening = one.open(call, 0) as Hash;
    expect(call.commitments[0]?.[0]).toBe(commitment(match, 1, 1, 0, opening));
    expect(new Set(new DealContributor({ match, end }, SEATS).commit(1, 0)).size).toBe(SEATS);
  });

  it("opens the same number again, and rejects a different call for the same pack", () => {
    const { one, call } = scene();
    const opening = one.open(call, 0);
    expect(one.open(structuredClone(call), 0)).toBe(opening);
    const others: Call[] = [
      { ...call, commitments: { ...call.commitments, 2: [OTHER, OTHER] } },
      { ...call, commitments: { 0: call.commitments[0] ?? [] } },
      { ...call, position: 1 },
      { ...call, ends: [OTHER] },
    ];
    for (const second of others) expect(() => one.open(second, 0)).toThrow(FairError);
    expect(one.commit(1, 0)).toEqual([]);
    expect(() => one.open({ ...call, pack: 0 }, 0)).toThrow(FairError);
  });

  it("makes the commitments to a pack once, and none once a later pack was spoken of", () => {
    const { one } = scene();
    const made = one.commit(2, 0);
    expect(one.commit(2, 0)).toEqual(made);
    expect(one.commit(2, 1)).not.toEqual(made);
    one.noteNextPack(3, true);
    expect(one.commit(2, 0)).toEqual([]);
  });

  it.each([
    ["another position", { position: 1 }],
    ["other ends", { ends: [OTHER] }],
    ["one end too many", { ends: [end, OTHER] }],
    ["no ends", { ends: [] }],
    ["a pack number of zero", { pack: 0 }],
    ["a seat that does not exist", { commitments: { [SEATS]: [OTHER] } }],
    ["too few commitments", { commitments: { 0: [OTHER, OTHER], 2: [OTHER] } }],
  ])("rejects a call with %s", (_, change) => {
    const { one, call } = scene();
    expect(() => one.open({ ...call, ...change }, 0)).toThrow(FairError);
    expect(one.open(call, 0)).not.toBeNull();
  });

  it("opens nothing that this page has not committed to", () => {
    const { one, call } = scene();
    const foreign = { ...call.commitments, 0: [OTHER, OTHER] };
    expect(one.open({ ...call, commitments: foreign }, 0)).toBeNull();
    expect(new DealContributor({ match, end }, SEATS).open(call, 0)).toBeNull();
    expect(scene().one.open(call, null)).toBeNull();
  });

  it("opens its next number after a void attempt, and is not counted if it did not open", () => {
    const { one, other, call } = scene();
    const first = one.open(call, 0);
    other.open(call, 2);
    const told: Void = { pack: 1, attempt: 1, missing: [2] };
    const second = one.openAfterVoid(told, 0);
    expect(second).not.toBe(first);
    expect(one.open(call, 0)).toBe(second);
    expect(other.openAfterVoid(told, 2)).toBeNull();
    const said = evidence(call, { 0: [first, second], 2: [null] });
    expect(compared(one, said)).toEqual({ own: [1], excluded: [], unseen: [] });
    expect(compared(other, said)).toEqual({ own: [], excluded: [1], unseen: [] });
  });

  it.each([
    ["for an attempt that there cannot be", { attempt: 3, missing: [2] }],
    ["without any missing seat", { attempt: 1, missing: [] }],
    ["for a seat that made no commitment", { attempt: 1, missing: [1] }],
  ])("rejects a void message %s", (_, told) => {
    const { one, call } = scene();
    one.open(call, 0);
    expect(() => one.openAfterVoid({ pack: 1, ...told }, 0)).toThrow(FairError);
  });

  it("opens nothing after a void attempt that it missed, and rejects a changed one", () => {
    const { one, call } = scene();
    one.open(call, 0);
    expect(one.openAfterVoid({ pack: 1, attempt: 2, missing: [2] }, 0)).toBeNull();
    const { one: other } = scene();
    other.open(call, 0);
    const opening = other.openAfterVoid({ pack: 1, attempt: 1, missing: [2] }, 0);
    expect(other.openAfterVoid({ pack: 1, attempt: 1, missing: [2] }, 0)).toBe(opening);
    expect(() => other.openAfterVoid({ pack: 1, attempt: 1, missing: [0] }, 0)).toThrow(FairError);
  });

  it("rejects a further attempt at a pack that was decided, and a next pack that counts one", () => {
    const { one, call } = scene();
    one.open(call, 0);
    one.noteNextPack(2, true);
    expect(() => one.openAfterVoid({ pack: 1, attempt: 1, missing: [2] }, 0)).toThrow(FairError);
    expect(() => one.open({ ...call, pack: 2, position: 2 }, 0)).toThrow(FairError);
    expect(one.open({ ...call, pack: 2, position: 1 }, 0)).toBeNull();
  });

  it.each([1, 2])("counts attempts that it missed by the next call: %i", (position) => {
    const { one, other, call } = scene();
    one.open(call, 0);
    const opened = [other.open(call, 2), other.openAfterVoid({ pack: 1, attempt: 1, missing: [0] }, 2)];
    one.open({ pack: 2, position, ends: [end], commitments: {} }, 0);
    const said = evidence(call, { 0: [null], 2: opened });
    said.packs.push([{ secret: secrets[2] as Hash, people: [] }]);
    if (position === 1) expect(() => compared(one, said)).toThrow(FairError);
    else expect(compared(one, said)).toEqual({ own: [], excluded: [1], unseen: [2] });
  });

  it("restores its full state after a page reload", () => {
    const { one, call } = scene();
    const before = DealContributor.deserialize(one.serialize()) as DealContributor;
    const first = one.open(call, 0);
    expect(before.open(call, 0)).toBe(first);
    const after = DealContributor.deserialize(one.serialize()) as DealContributor;
    expect(() => after.open({ ...call, position: 1 }, 0)).toThrow(FairError);
    const second = after.openAfterVoid({ pack: 1, attempt: 1, missing: [2] }, 0);
    const again = DealContributor.deserialize(after.serialize()) as DealContributor;
    expect(compared(again, evidence(call, { 0: [first, second], 2: [null] })).own).toEqual([1]);
    expect(again.serialize()).toBe(after.serialize());
  });

  it("is not restored from invalid data", () => {
    for (const text of [null, "", "{", "null", "[]", "{}", '{"announcement":{}}']) {
      expect(DealContributor.deserialize(text)).toBeNull();
    }
    const memory = JSON.parse(scene().one.serialize()) as object;
    for (const key of Object.keys(memory)) {
      expect(DealContributor.deserialize(JSON.stringify({ ...memory, [key]: undefined })), key).toBeNull();
    }
  });

  it("contributes from the next pack on when it joins mid-match", () => {
    const late = new DealContributor({ match, end }, SEATS, random("late"));
    expect(late.openAfterVoid({ pack: 4, attempt: 1, missing: [2] }, 1)).toBeNull();
    const commitments = { 1: late.commit(5, 1).slice(0, 1) };
    const call = { pack: 5, position: 6, ends: [end], commitments };
    expect(late.open(call, 1)).not.toBeNull();
    expect(() => late.open({ ...call, pack: 4 }, 1)).toThrow(FairError);
    expect(() => late.open({ ...call, pack: 6, position: 6 }, 1)).toThrow(FairError);
  });

  it("rejects final evidence that contradicts what it saw", () => {
    const { one, other, call } = scene();
    const [mine, theirs] = [one.open(call, 0), other.open(call, 2)];
    one.noteNextPack(2, true);
    const said = evidence(call, { 0: [mine], 2: [theirs] });
    expect(compared(one, said).own).toEqual([1]);
    const elsewhere = { ...call, commitments: { ...call.commitments, 2: [OTHER, OTHER] } };
    const wrong: [number, Evidence][] = [
      [0, { ...said, match: matchId("a table", 3) }],
      [0, { ...said, match: matchId("another table", 2) }],
      [0, { ...said, ends: [OTHER] }],
      [0, { ...said, ends: [] }],
      [1, { ...said, packs: [] }],
      [1, evidence(elsewhere, { 0: [mine], 2: [theirs] })],
      [1, evidence(call, { 0: [mine] })],
      [1, evidence(call, { 0: [mine, mine], 2: [null] })],
      [1, evidence(call, { 0: [null], 2: [theirs] })],
    ];
    for (const [pack, evidence] of wrong) {
      let found: unknown = null;
      try {
        compared(one, evidence);
      } catch (error) {
        found = error;
      }
      expect(found).toBeInstanceOf(FairError);
      expect((found as FairError).pack).toBe(pack);
    }
  });

  it("misses one pack called at the end of a match that ended early, and no more", () => {
    const { one, other, call } = scene();
    const said = evidence(call, { 0: [one.open(call, 0)], 2: [other.open(call, 2)] });
    one.noteNextPack(3, false);
    expect(() => compareEvidence(one.memory, said)).toThrow(FairError);
    expect(compareEvidence(one.memory, said, true).own).toEqual([1]);
    one.noteNextPack(4, false);
    expect(() => compareEvidence(one.memory, said, true)).toThrow(FairError);
  });
});
