// Tests how a page takes part in the deals, given their state from the table's room.
import { describe, expect, it } from "vitest";
import type { FairDealState } from "../../api/messages";
import { commitment, matchId, type Hash } from "./hashing";
import { Participant, type Contribution, type ContributionStorage, type Part } from "./participant";

const TABLE = "a table";
const MATCH = matchId(TABLE, 1);
const END = "bb".repeat(32);
const SEATS = 2;

class Memory implements ContributionStorage {
  text: string | null = null;
  /** The longest text for which there is room. */
  room = Infinity;
  get(): string | null {
    return this.text;
  }
  put(text: string): boolean {
    const fits = text.length <= this.room;
    if (fits) this.text = text;
    return fits;
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
    return (this.participant.latest?.trouble ?? null) !== null;
  }
}

const lacking = (...missing: number[]) => ({ void: { pack: 1, attempt: 1, missing } });

const numbers = (parts: Part[]): number[] => parts.map(({ number }) => number);

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
    expect(page.told(null)).toEqual([]);
    expect(page.trouble).toBe(true);
    expect(new Page(storage).trouble).toBe(true);
  });

  it.each([1, 2])(
    "is replaced by no match without verifiable deals, whatever is told of match %i then",
    (number) => {
      const storage = new Memory();
      const page = new Page(storage);
      page.told(fair(1));
      expect(page.told(null, 2)).toEqual([]);
      expect(numbers(page.participant.replaced)).toEqual([1]);
      const announcement = { match: matchId(TABLE, number), end: END };
      for (const again of [page, new Page(storage)]) {
        expect(again.told(fair(1, { announcement }), number)).toEqual([]);
        expect(again.participant.latest).toMatchObject({ number: 2, trouble: { pack: 0 } });
        expect(again.participant.replaced).toMatchObject([{ number: 1, trouble: null }]);
      }
    },
  );

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
    expect(numbers(page.participant.replaced)).toEqual([1]);
    const again = new Page(storage).participant;
    expect(numbers(again.replaced)).toEqual([1]);
    expect(again.latest?.contributor?.announcement.match.number).toBe(2);
    again.forget(1);
    expect(numbers(new Page(storage).participant.replaced)).toEqual([]);
  });

  it("remembers the first of very many replaced matches", () => {
    const page = new Page();
    for (let number = 1; number <= 20; number += 1) {
      page.told(fair(1, { announcement: { match: matchId(TABLE, number), end: END } }), number);
    }
    expect(numbers(page.participant.replaced)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it.each<[string, unknown]>([
    ["of another table", fair(1, { announcement: { match: matchId("another table", 1), end: END } })],
    ["of another match", fair(1, { announcement: { match: matchId(TABLE, 2), end: END } })],
    ["malformed", { ...fair(1), announcement: null }],
  ])("is trouble for good if the first announcement is %s", (_, deals) => {
    const storage = new Memory();
    const page = new Page(storage);
    expect(page.told(deals as FairDealState)).toEqual([]);
    expect(page.trouble).toBe(true);
    for (const again of [page, new Page(storage)]) {
      expect(again.told(fair(1))).toEqual([]);
      expect(again.trouble).toBe(true);
    }
  });

  it("is trouble of the match of which it is told, and of no earlier one", () => {
    const storage = new Memory();
    const page = new Page(storage);
    page.told(fair(1));
    page.participant.react({}, 2, 0);
    const second = fair(1, { announcement: { match: matchId(TABLE, 2), end: END } });
    for (const { participant } of [page, new Page(storage)]) {
      expect(participant.react(second, 2, 0)).toEqual([]);
      expect(participant.latest).toMatchObject({ number: 2, trouble: { pack: 0 } });
      expect(participant.replaced).toMatchObject([{ number: 1, trouble: null }]);
    }
    const third = fair(1, { announcement: { match: matchId(TABLE, 3), end: END } });
    expect([...commits(page.told(third, 3)).keys()]).toEqual([1, 2, 3]);
    expect(new Page(storage).participant.replaced).toMatchObject([
      { trouble: null },
      { trouble: { pack: 0 } },
    ]);
  });

  it.each([["another"], ["2"], [{}], [[]], [null], [1.5], [-1], [Infinity]])(
    "is trouble if the number of the match is none: %o",
    (number) => {
      for (const [before, deals] of [
        [fair(1), fair(1)],
        [fair(1), null],
        [null, fair(1)],
      ] as const) {
        const storage = new Memory();
        new Page(storage).told(before);
        expect(new Page(storage).told(deals, number as number)).toEqual([]);
        const page = new Page(storage);
        expect(page.told(fair(1))).toEqual([]);
        expect(page.trouble).toBe(true);
        expect(page.participant.replaced).toEqual([]);
      }
    },
  );
});

describe("a memory that cannot be stored", () => {
  const next = fair(1, { announcement: { match: matchId(TABLE, 2), end: END } });

  it("opens nothing then, nor in another call after a reload", () => {
    const storage = new Memory();
    const page = new Page(storage);
    const mine = page.commits(fair(1)).get(1);
    storage.room = storage.text?.length ?? 0;
    expect(page.told(fair(2, call(1, mine)))).toEqual([]);
    storage.room = Infinity;
    const other = call(1, mine);
    other.call.commitments[1] = ["ee".repeat(32), "ff".repeat(32)];
    for (const again of [page, new Page(storage)]) {
      expect(again.told(fair(2, other))).toEqual([]);
      expect(again.told(fair(1))).toEqual([]);
      expect(again.trouble).toBe(false);
    }
    expect([...commits(new Page(storage).told(next, 2)).keys()]).toEqual([1, 2, 3]);
  });

  it("keeps what was announced, and how far the server has come", () => {
    const storage = new Memory();
    const page = new Page(storage);
    const mine = page.commits(fair(1)).get(1);
    storage.room = storage.text?.length ?? 0;
    page.told(fair(2, call(1, mine)));
    page.told(fair(4));
    const { latest } = new Page(storage).participant;
    expect(latest?.contributor?.memory).toMatchObject({
      ends: [END],
      held: [],
      seen: [],
      opened: [],
      last: 3,
    });
    new Page(storage).told(null);
    expect(new Page(storage).trouble).toBe(true);
  });

  it("keeps trouble", () => {
    const storage = new Memory();
    const page = new Page(storage);
    page.told(fair(1));
    storage.room = storage.text?.length ?? 0;
    page.told(fair(2, call(1, ["ee".repeat(32)], 7)));
    expect(page.trouble).toBe(true);
    expect(new Page(storage).trouble).toBe(true);
  });

  it("sends nothing if nothing can ever be stored", () => {
    const storage = new Memory();
    storage.room = 0;
    const page = new Page(storage);
    expect(page.told(fair(1))).toEqual([]);
    expect(page.told(fair(2, call(1, undefined)))).toEqual([]);
  });

  it("uses nothing of a text of which a part is damaged", () => {
    const storage = new Memory();
    const page = new Page(storage);
    page.told(fair(1));
    page.told(next, 2);
    const whole = JSON.parse(storage.text ?? "") as { latest: object; replaced: object[] };
    for (const damaged of [
      { ...whole, replaced: [{ ...whole.replaced[0], contributor: "{}" }] },
      { ...whole, latest: { ...whole.latest, contributor: null } },
      { ...whole, latest: { ...whole.latest, number: "2" } },
      { latest: whole.latest },
    ]) {
      storage.text = JSON.stringify(damaged);
      expect(new Page(storage).participant).toMatchObject({ latest: null, replaced: [] });
    }
  });
});

describe("a server that would have the page keep too much", () => {
  const LONGEST = 2 ** 20;
  const people = Array.from({ length: 16 }, (_, seat) => seat);
  const crowded = (pack: number) => ({
    pack,
    position: pack - 1,
    ends: [END],
    commitments: Object.fromEntries(people.map((seat) => [seat, people.map(() => "cc".repeat(32))])),
  });

  /** A page at a table of sixteen that has seen a match with one pack, which the next one replaces. */
  function secondMatch(): { storage: Memory; react: (deals: unknown) => Contribution[]; page: Participant } {
    const storage = new Memory();
    const page = new Participant(TABLE, people.length, storage);
    page.react(fair(1), 1, 0);
    const announcement = { match: matchId(TABLE, 2), end: END };
    const react = (deals: unknown) => page.react({ ...(deals as object), announcement }, 2, 0);
    return { storage, react, page };
  }

  it("gets nothing more in a match of very many packs, and the one before is remembered", () => {
    const { storage, react, page } = secondMatch();
    let longest = 0;
    for (let pack = 1; pack <= 60; pack += 1) {
      react(fair(pack + 1, { call: crowded(pack), asked: people }));
      longest = Math.max(longest, storage.text?.length ?? 0);
    }
    expect(longest).toBeGreaterThan(LONGEST / 2);
    expect(longest).toBeLessThanOrEqual(LONGEST);
    expect(react(fair(61))).toEqual([]);
    const again = new Participant(TABLE, people.length, storage);
    expect(again.latest?.contributor?.memory).toMatchObject({ seen: [], last: 60 });
    expect(numbers(again.replaced)).toEqual([1]);
    expect(page.latest?.trouble).toBeNull();
  });

  it.each<[string, Partial<FairDealState>]>([
    [
      "ends",
      {
        next_pack: 2 ** 20,
        call: {
          pack: 2 ** 20 - 1,
          position: 2 ** 22 - 1,
          ends: Array.from({ length: 2 ** 14 }, () => END),
          commitments: {},
        },
      },
    ],
    [
      "a seat",
      {
        next_pack: 2,
        call: { pack: 1, position: 0, ends: [END], commitments: { ["0".repeat(LONGEST)]: [] } },
      },
    ],
  ])("keeps no text of any length: %s", (_, state) => {
    const { storage, react } = secondMatch();
    expect(react(fair(1, state))).toEqual([]);
    expect(storage.text?.length).toBeLessThan(LONGEST / 8);
    expect(numbers(new Participant(TABLE, people.length, storage).replaced)).toEqual([1]);
  });
});
