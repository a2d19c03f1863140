// Tests how a page takes part in the deals, given their state from the table's room.
import { describe, expect, it } from "vitest";
import type { FairDealState } from "../../api/messages";
import { commitment, type Hash } from "./hashing";
import { Participant, type Contribution, type ContributionStorage } from "./participant";

const MATCH = { table: "aa".repeat(32), number: 1 };
const END = "bb".repeat(32);
const SEATS = 2;

class Memory implements ContributionStorage {
  text: string | null = null;
  get(): string | null {
    return this.text;
  }
  put(text: string): void {
    this.text = text;
  }
}

const fair = (next_pack: number, more: Partial<FairDealState> = {}): FairDealState => ({
  announcement: { match: MATCH, end: END },
  next_pack,
  call: null,
  void: null,
  asked: [],
  ...more,
});

const commits = (sent: Contribution[]): Map<number, Hash[]> =>
  new Map(sent.flatMap((one) => (one.type === "commit" ? [[one.pack, one.commitments]] : [])));

const opened = (sent: Contribution[]) => sent.filter((one) => one.type === "open");

/** A call of two seats, the second of which belongs to another person. */
const call = (pack: number, mine: Hash[] | undefined, position = 0) => ({
  call: {
    pack,
    position,
    ends: [END],
    commitments: { 0: mine ?? [], 1: ["cc".repeat(32), "dd".repeat(32)] },
  },
  asked: [0, 1],
});

describe("Participant", () => {
  it("commits once to each of the next three packs", () => {
    const page = new Participant(SEATS, new Memory());
    const first = commits(page.react(fair(1), 0, true));
    expect([...first.keys()]).toEqual([1, 2, 3]);
    for (const made of first.values()) expect(made).toHaveLength(SEATS);
    expect(page.react(fair(1), 0, false)).toEqual([]);
    expect([...commits(page.react(fair(2), 0, false)).keys()]).toEqual([4]);
  });

  it("resends only commitments not yet called after a lost connection", () => {
    const page = new Participant(SEATS, new Memory());
    const first = commits(page.react(fair(1), 0, true));
    page.repeat();
    expect(commits(page.react(fair(1), 0, false))).toEqual(first);
    page.react(fair(2, call(1, first.get(1))), 0, false);
    page.repeat();
    const again = commits(page.react(fair(2, call(1, first.get(1))), 0, false));
    expect([...again.keys()]).toEqual([2, 3, 4]);
    expect(again.get(2)).toEqual(first.get(2));
  });

  it("resends the opening of the current attempt after a lost connection", () => {
    const page = new Participant(SEATS, new Memory());
    const mine = commits(page.react(fair(1), 0, true)).get(1);
    const opened = (state: FairDealState) => page.react(state, 0, false).filter((one) => one.type === "open");
    const first = opened(fair(2, call(1, mine)));
    expect(first).toHaveLength(1);
    page.repeat();
    expect(opened(fair(2, call(1, mine)))).toEqual(first);
    const later = fair(2, { ...call(1, mine), void: { pack: 1, attempt: 1, missing: [1] } });
    const second = opened(later);
    expect(second).toHaveLength(1);
    page.repeat();
    expect(opened(later)).toEqual(second);
    expect(opened(later)).toEqual([]);
  });

  it("sends nothing for a spectator", () => {
    expect(new Participant(SEATS, new Memory()).react(fair(1), null, true)).toEqual([]);
  });

  it("opens its commitment once, and stores that beforehand", () => {
    const shelf = new Memory();
    const page = new Participant(SEATS, shelf);
    const mine = commits(page.react(fair(1), 0, true)).get(1);
    const told = fair(2, call(1, mine));
    const [one] = opened(page.react(told, 0, false));
    expect(one).toMatchObject({ pack: 1, attempt: 1 });
    expect(commitment(MATCH, 1, 1, 0, one?.type === "open" ? one.opening : "")).toBe(mine?.[0]);
    expect(shelf.text).toContain('"opened":[[1,0]]');
    expect(opened(page.react(told, 0, true))).toEqual([]);
  });

  it("opens the next contribution after a void attempt", () => {
    const page = new Participant(SEATS, new Memory());
    const mine = commits(page.react(fair(1), 0, true)).get(1);
    page.react(fair(2, call(1, mine)), 0, false);
    const again = fair(2, { ...call(1, mine), void: { pack: 1, attempt: 1, missing: [1] }, asked: [0] });
    const [one] = opened(page.react(again, 0, false));
    expect(one).toMatchObject({ attempt: 2 });
    expect(commitment(MATCH, 1, 2, 0, one?.type === "open" ? one.opening : "")).toBe(mine?.[1]);
  });

  it("counts a void attempt after which nobody is left to contribute", () => {
    const page = new Participant(SEATS, new Memory());
    const mine = commits(page.react(fair(1), 0, true)).get(1) as Hash[];
    const alone = { pack: 1, position: 0, ends: [END], commitments: { 0: [mine[0] as Hash] } };
    page.react(fair(2, { call: alone, asked: [0] }), 0, false);
    page.react(fair(2, { void: { pack: 1, attempt: 1, missing: [0] } }), 0, false);
    expect(page.contributor?.voids(1)).toBe(1);
    const next = { ...alone, pack: 2, position: 2, commitments: {} };
    page.react(fair(3, { call: next }), 0, false);
    expect(page.trouble).toBe(false);
  });

  it("restores its state after a reload and opens the same contribution", () => {
    const shelf = new Memory();
    const page = new Participant(SEATS, shelf);
    const mine = commits(page.react(fair(1), 0, true)).get(1);
    const before = opened(page.react(fair(2, call(1, mine)), 0, false));
    const reloaded = new Participant(SEATS, shelf);
    expect(opened(reloaded.react(fair(2, call(1, mine)), 0, true))).toEqual(before);
    expect(reloaded.trouble).toBe(false);
  });

  it("opens nothing for a pack that was decided while it was away", () => {
    const page = new Participant(SEATS, new Memory());
    const mine = commits(page.react(fair(1), 0, true)).get(1);
    page.react(fair(2, call(1, mine)), 0, false);
    page.react(fair(2), 0, true);
    expect(page.contributor?.last).toBe(null);
    expect(opened(page.react(fair(2, call(1, mine)), 0, true))).toEqual([]);
    expect(page.trouble).toBe(false);
  });

  it("reports trouble if the server changes a call, and starts anew with the next match", () => {
    const page = new Participant(SEATS, new Memory());
    const mine = commits(page.react(fair(1), 0, true)).get(1);
    page.react(fair(2, call(1, mine)), 0, false);
    const other = fair(2, { ...call(1, mine, 5), void: { pack: 1, attempt: 1, missing: [1] } });
    expect(page.react(other, 0, false)).toEqual([]);
    expect(page.trouble).toBe(true);
    const next = { ...fair(1), announcement: { match: { ...MATCH, number: 2 }, end: END } };
    expect([...commits(page.react(next, 0, true)).keys()]).toEqual([1, 2, 3]);
    expect(page.trouble).toBe(false);
  });
});
