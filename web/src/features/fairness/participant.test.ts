// Tests how a page takes part in the deals, given their state from the table's room.
import { describe, expect, it } from "vitest";
import type { FairDealState } from "../../api/messages";
import { commitment, matchId, type Hash } from "./hashing";
import { Participant, type Contribution, type ContributionStorage } from "./participant";

const TABLE = "a table";
const MATCH = matchId(TABLE, 1);
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

/** The page of the person on seat 0, in a match of this number. */
class Page {
  readonly participant: Participant;

  constructor(storage = new Memory()) {
    this.participant = new Participant(TABLE, SEATS, storage);
  }

  told(state: FairDealState | null, match = 1, seat: number | null = 0): Contribution[] {
    return this.participant.react(state, match, seat);
  }

  commits(state: FairDealState): Map<number, Hash[]> {
    return commits(this.told(state));
  }

  opens(state: FairDealState): Contribution[] {
    return this.told(state).filter((one) => one.type === "open");
  }

  get trouble(): boolean {
    return this.participant.trouble !== null;
  }
}

const lacking = (...missing: number[]) => ({ void: { pack: 1, attempt: 1, missing } });

describe("Participant", () => {
  it("commits once to each of the next three packs", () => {
    const page = new Page();
    const first = page.commits(fair(1));
    expect([...first.keys()]).toEqual([1, 2, 3]);
    for (const made of first.values()) expect(made).toHaveLength(SEATS);
    expect(page.told(fair(1))).toEqual([]);
    expect([...page.commits(fair(2)).keys()]).toEqual([4]);
    expect(new Page().told(fair(1), 1, null)).toEqual([]);
  });

  it("resends only commitments not yet called after a lost connection", () => {
    const page = new Page();
    const first = page.commits(fair(1));
    page.participant.repeat();
    expect(page.commits(fair(1))).toEqual(first);
    page.told(fair(2, call(1, first.get(1))));
    page.participant.repeat();
    const again = page.commits(fair(2, call(1, first.get(1))));
    expect([...again.keys()]).toEqual([2, 3, 4]);
    expect(again.get(2)).toEqual(first.get(2));
  });

  it("opens the contribution of an attempt once, and again after a lost connection", () => {
    const storage = new Memory();
    const page = new Page(storage);
    const mine = page.commits(fair(1)).get(1);
    const state = fair(2, call(1, mine));
    const first = page.opens(state);
    expect(first).toMatchObject([{ pack: 1, attempt: 1 }]);
    expect(first.map((one) => one.type === "open" && commitment(MATCH, 1, 1, 0, one.opening))).toEqual([
      mine?.[0],
    ]);
    expect(storage.text).toContain(String.raw`\"opened\":[[1,[0,1]]]`);
    expect(page.opens(state)).toEqual([]);
    page.participant.repeat();
    expect(page.opens(state)).toEqual(first);
    const later = fair(2, { ...call(1, mine), ...lacking(1) });
    const second = page.opens(later);
    expect(second).toMatchObject([{ pack: 1, attempt: 2 }]);
    page.participant.repeat();
    expect(page.opens(later)).toEqual(second);
    expect(page.opens(later)).toEqual([]);
  });

  it("counts a void attempt after which nobody is left to contribute", () => {
    const page = new Page();
    const mine = page.commits(fair(1)).get(1) as Hash[];
    const alone = { pack: 1, position: 0, ends: [END], commitments: { 0: [mine[0] as Hash] } };
    page.told(fair(2, { call: alone, asked: [0] }));
    page.told(fair(2, lacking(0)));
    page.told(fair(3, { call: { ...alone, pack: 2, position: 2, commitments: {} } }));
    expect(page.trouble).toBe(false);
  });

  it("restores its state after a reload and opens the same contribution", () => {
    const storage = new Memory();
    const page = new Page(storage);
    const mine = page.commits(fair(1)).get(1);
    const before = page.opens(fair(2, call(1, mine)));
    const reloaded = new Page(storage);
    expect(reloaded.opens(fair(2, call(1, mine)))).toEqual(before);
    expect(reloaded.trouble).toBe(false);
  });
});

describe("a server that would have a pack drawn again until it likes the order", () => {
  it("gets no new commitments for a pack that was called, nor after a reload", () => {
    const storage = new Memory();
    let page = new Page(storage);
    const mine = page.commits(fair(1)).get(1);
    expect(page.opens(fair(2, call(1, mine)))).toHaveLength(1);
    for (let times = 0; times < 3; times++) {
      expect([...page.commits(fair(1)).keys()]).not.toContain(1);
      page = new Page(storage);
      expect([...page.commits(fair(2)).keys()]).not.toContain(1);
    }
    expect(page.trouble).toBe(false);
  });

  it("gets nothing for a pack once a later one was spoken of", () => {
    const page = new Page();
    const own = page.commits(fair(1));
    expect([...page.commits(fair(3)).keys()]).toEqual([4, 5]);
    expect([...page.commits(fair(2)).keys()]).toEqual([]);
    expect(page.opens(fair(3, call(2, own.get(2), 1)))).toEqual([]);
    expect(page.trouble).toBe(true);
  });

  it("gets no further attempt at a decided pack, and none of another pack", () => {
    const page = new Page();
    const own = page.commits(fair(1));
    page.told(fair(2, call(1, own.get(1))));
    page.told(fair(2));
    expect(page.opens(fair(2, { ...call(1, own.get(1)), ...lacking(1) }))).toEqual([]);
    expect(page.trouble).toBe(true);
    const other = new Page();
    const mine = other.commits(fair(1));
    other.told(fair(2, call(1, mine.get(1))));
    other.told(fair(2));
    expect(other.opens(fair(3, { ...call(2, mine.get(2), 1), ...lacking(1) }))).toEqual([]);
    expect(other.trouble).toBe(true);
  });
});

describe("what the server announces", () => {
  it.each<[string, FairDealState["announcement"], number]>([
    ["another table", { match: matchId("another table", 1), end: END }, 1],
    ["another match", { match: matchId(TABLE, 2), end: END }, 1],
    ["an earlier match", { match: MATCH, end: END }, 2],
    ["another chain", { match: MATCH, end: "cc".repeat(32) }, 1],
  ])("ends participation if it is %s, also after a reload", (_, announcement, match) => {
    const storage = new Memory();
    new Page(storage).told(fair(1));
    const page = new Page(storage);
    expect(page.told({ ...fair(2), announcement }, match)).toEqual([]);
    expect(page.trouble).toBe(true);
    expect(page.told(fair(2))).toEqual([]);
    expect(new Page(storage).trouble).toBe(true);
  });

  it("remains: a match announced as verifiable does not become another", () => {
    const storage = new Memory();
    expect(new Page(storage).told(null)).toEqual([]);
    const page = new Page(storage);
    page.told(fair(1));
    expect(page.told(null, 2)).toEqual([]);
    expect(page.trouble).toBe(false);
    const reloaded = new Page(storage);
    reloaded.told(null, 1);
    expect(reloaded.trouble).toBe(true);
  });

  it.each([
    ["call", {}],
    ["void", []],
    ["next_pack", 0],
    ["announcement", null],
    ["more", 1],
    ["call", { pack: 1, position: 0, ends: [END], commitments: { "01": [] } }],
  ])("is trouble and no error if it is malformed: %s %o", (key, value) => {
    const page = new Page();
    expect(page.participant.react({ ...fair(2), [key]: value }, 1, 0)).toEqual([]);
    expect(page.trouble).toBe(true);
  });

  it("stops participation if a call is changed, until the next match", () => {
    const page = new Page();
    const mine = page.commits(fair(1)).get(1);
    page.told(fair(2, call(1, mine)));
    expect(page.told(fair(2, { ...call(1, mine, 5), ...lacking(1) }))).toEqual([]);
    expect(page.trouble).toBe(true);
    const next = { ...fair(1), announcement: { match: matchId(TABLE, 2), end: END } };
    expect([...commits(page.told(next, 2)).keys()]).toEqual([1, 2, 3]);
    expect(page.trouble).toBe(false);
  });

  it("remembers matches that were replaced, through a reload, until their records are proven", () => {
    const storage = new Memory();
    const page = new Page(storage);
    page.told(fair(1));
    const second = { match: matchId(TABLE, 2), end: "cc".repeat(32) };
    page.told(fair(1, { announcement: second }), 2);
    const numbers = ({ replaced }: Participant): (number | undefined)[] =>
      replaced.map(({ contributor }) => contributor?.announcement.match.number);
    expect(numbers(page.participant)).toEqual([1]);
    const again = new Page(storage).participant;
    expect(numbers(again)).toEqual([1]);
    expect(again.contributor?.announcement.match.number).toBe(2);
    again.forget(1);
    expect(numbers(new Page(storage).participant)).toEqual([]);
  });

  it("remembers the first of very many replaced matches", () => {
    const page = new Page();
    for (let number = 1; number <= 20; number += 1) {
      page.told(fair(1, { announcement: { match: matchId(TABLE, number), end: END } }), number);
    }
    expect(
      page.participant.replaced.map(({ contributor }) => contributor?.announcement.match.number),
    ).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });
});
