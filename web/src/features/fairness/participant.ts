// Takes this page's part in the shuffling protocol of a table. It reacts to the state of the deals, which
// may be repeated or skip steps after a reconnect or a reload.
import { DealContributor, type Announcement } from "./dealContributor";
import { readDealState, type DealState } from "./dealState";
import { FairError } from "./errors";
import { matchId, randomHash, type Hash } from "./hashing";

/** How many packs a commitment covers in advance: some follow one another immediately. */
const PACKS_AHEAD = 3;
/** Of so many replaced matches it is remembered what was seen. The first ones stay: they are told until proven. */
const MAX_REPLACED = 8;
/** The longest memory in characters, several times that of the longest match: a browser keeps 2.5 million of a server. */
const MAX_MEMORY = 2 ** 20;

export type Contribution =
  | { type: "commit"; pack: number; commitments: Hash[] }
  | { type: "open"; pack: number; attempt: number; opening: Hash };

/** Storage that keeps a participant through a page reload. */
export interface ContributionStorage {
  get(): string | null;
  /** Puts this text in the place of the last one; false if that could not be done. */
  put(text: string): boolean;
}

/** This page's part in the deals of a match that the server has called verifiable. */
export interface Part {
  /** The number of the match at the table. */
  number: number;
  /** Null if the announcement was none. */
  contributor: DealContributor | null;
  /**
   * What the server did in the match that it may not do; null as long as it has kept to the protocol. From then
   * on the page takes no part in the deals of the match.
   */
  trouble: FairError | null;
}

/** A part as plain JSON; of the trouble only the pack, since an error may quote what the server has told. */
interface StoredPart {
  number: number;
  contributor: string | null;
  trouble: number | null;
}

/** The memory of a participant; as plain JSON with stored parts. */
interface Memory<One> {
  latest: One | null;
  replaced: One[];
}

export class Participant implements Memory<Part> {
  /** The part in the last match from the first one with verifiable deals on; null before one. */
  latest: Part | null;
  /**
   * The parts in matches that the next one has replaced, until `forget`. Their records are to be judged: otherwise a
   * server that dislikes a pack could begin another match.
   */
  replaced: Part[];
  #sent = new Set<string>();
  #opened = "";

  constructor(
    private readonly table: string,
    /** The number of seats at the table, as the server tells it. */
    public seats: number,
    private readonly storage: ContributionStorage,
    private readonly random: () => Hash = randomHash,
  ) {
    ({ latest: this.latest, replaced: this.replaced } = memoryIn(storage.get(), random));
  }

  /**
   * The messages to send in this state of the deals, null where they are not verifiable: that no match is which
   * follows one with verifiable deals. `match` is the number of the match at the table. The memory is stored before
   * the messages are returned; if it cannot be, there are none.
   */
  react(deals: unknown, match: number, seat: number | null): Contribution[] {
    if (deals === null && !this.latest) return [];
    const part = !this.latest || isLater(match, this.latest) ? this.#begin(match) : this.latest;
    if (part.trouble) return [];
    let found: Contribution[] = [];
    try {
      found = this.#takePart(part, deals, match, seat);
    } catch (error) {
      if (!(error instanceof FairError)) throw error;
      part.trouble = error;
    }
    return this.#store() ? found : [];
  }

  /**
   * Makes `react` send everything again: when the connection is lost, the server forgets commitments not
   * yet called, and when it restarts, packs not yet dealt.
   */
  repeat(): void {
    this.#sent = new Set();
    this.#opened = "";
  }

  /** Forgets what was seen of a match that was replaced, because its record is proven. */
  forget(number: number): void {
    this.replaced = this.replaced.filter((one) => one.number !== number);
    this.#store();
  }

  /** Begins with a match that replaces the last one. */
  #begin(match: number): Part {
    if (this.latest && this.replaced.length < MAX_REPLACED) this.replaced.push(this.latest);
    this.repeat();
    const number = Number.isInteger(match) && match > 0 ? match : 1;
    this.latest = { number, contributor: null, trouble: null };
    return this.latest;
  }

  /** The messages of a part in this state; throws if the server does what it may not do. */
  #takePart(part: Part, deals: unknown, match: number, seat: number | null): Contribution[] {
    // Silence is no state of a match from the first one with verifiable deals on, nor is anything of an earlier one.
    const state = readDealState(match === part.number ? deals : null);
    const contributor = this.#contributorOf(part, state.announcement);
    const found = this.#follow(contributor, state, seat);
    return seat === null ? found : [...found, ...this.#commit(contributor, state.nextPack, seat)];
  }

  /** The contributor of a match; throws if this is not what the server has announced. */
  #contributorOf(part: Part, announcement: Announcement): DealContributor {
    if (!sameMatch(announcement, { match: matchId(this.table, part.number), end: announcement.end })) {
      throw new FairError(0, "the deals are announced for another match or table");
    }
    part.contributor ??= new DealContributor(announcement, this.seats, this.random);
    if (!sameMatch(announcement, part.contributor.announcement)) {
      throw new FairError(0, "the server has bound itself to other secrets");
    }
    return part.contributor;
  }

  /**
   * Stores the memory. If that fails, the part in the last match ends: with an earlier memory, or none, a contribution
   * could be opened for a second call after a reload. What is left of it is shorter than what was stored before.
   */
  #store(): boolean {
    if (this.#put()) return true;
    this.latest?.contributor?.retire();
    this.#put();
    return false;
  }

  #put(): boolean {
    const { latest, replaced } = this;
    const memory: Memory<StoredPart> = { latest: latest && stored(latest), replaced: replaced.map(stored) };
    const text = JSON.stringify(memory);
    return text.length <= MAX_MEMORY && this.storage.put(text);
  }

  /** Follows the deals up to this state, and opens what is asked. */
  #follow(
    contributor: DealContributor,
    { call, voided, nextPack }: DealState,
    seat: number | null,
  ): Contribution[] {
    let opening = call && contributor.open(call, seat);
    if (voided) opening = contributor.openAfterVoid(voided, call ? seat : null);
    contributor.noteNextPack(nextPack, call === null);
    if (!call || opening === null) return [];
    const attempt = contributor.attempt(call.pack);
    if (this.#opened === `${call.pack} ${attempt}`) return [];
    this.#opened = `${call.pack} ${attempt}`;
    return [{ type: "open", pack: call.pack, attempt, opening }];
  }

  #commit(contributor: DealContributor, nextPack: number, seat: number): Contribution[] {
    const packs = Array.from({ length: PACKS_AHEAD }, (_, step) => nextPack + step);
    const fresh = packs.filter((pack) => !this.#sent.has(`${pack} ${seat}`));
    this.#sent = new Set(packs.map((pack) => `${pack} ${seat}`));
    return fresh
      .map((pack) => ({ type: "commit", pack, commitments: contributor.commit(pack, seat) }) as const)
      .filter(({ commitments }) => commitments.length > 0);
  }
}

function sameMatch(one: Announcement, other: Announcement): boolean {
  const { match, end } = other;
  return one.end === end && one.match.table === match.table && one.match.number === match.number;
}

/** Whether a match follows that of a part. What is no number does not: the server may tell anything. */
const isLater = (match: number, { number }: Part): boolean => Number.isInteger(match) && match > number;

const stored = ({ number, contributor, trouble }: Part): StoredPart => ({
  number,
  contributor: contributor?.serialize() ?? null,
  trouble: trouble?.pack ?? null,
});

/** Parses what was stored; empty if there is nothing, or if a part of it is invalid. */
function memoryIn(text: string | null, random: () => Hash): Memory<Part> {
  const restored = ({ number, contributor: kept, trouble }: StoredPart): Part => {
    const contributor = DealContributor.deserialize(kept, random);
    const whole = Number.isInteger(number) && (trouble === null ? contributor : Number.isInteger(trouble));
    if (!whole || (kept !== null && !contributor)) throw new TypeError("this is no memory");
    return { number, contributor, trouble: trouble === null ? null : new FairError(trouble, "found before") };
  };
  try {
    const { latest, replaced } = JSON.parse(text ?? "") as Memory<StoredPart>;
    return { latest: latest && restored(latest), replaced: replaced.map(restored) };
  } catch {
    return { latest: null, replaced: [] };
  }
}
