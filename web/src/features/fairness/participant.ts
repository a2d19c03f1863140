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

export type Contribution =
  | { type: "commit"; pack: number; commitments: Hash[] }
  | { type: "open"; pack: number; attempt: number; opening: Hash };

/** Storage that keeps a participant through a page reload. */
export interface ContributionStorage {
  get(): string | null;
  put(text: string): void;
}

/** This page's part in the deals of a match. */
export interface Part {
  contributor: DealContributor | null;
  trouble: FairError | null;
}

/** A part as plain JSON. */
interface StoredPart {
  contributor: string | null;
  trouble: { pack: number; message: string } | null;
}

/** The state of a participant as plain JSON. */
interface Memory extends StoredPart {
  replaced: StoredPart[];
}

export class Participant {
  /** The contributor of the last match with verifiable deals; null before one. */
  contributor: DealContributor | null = null;
  /**
   * What the server did in that match that it may not do; null as long as it has kept to the protocol. From then
   * on the page takes no part in the deals of the match.
   */
  trouble: FairError | null = null;
  /**
   * The parts in matches that the next one has replaced, until `forget`. Their records are to be judged: otherwise a
   * server that dislikes a pack could begin another match.
   */
  replaced: Part[] = [];
  #sent = new Set<string>();
  #opened = "";

  constructor(
    private readonly table: string,
    private readonly seats: number,
    private readonly storage: ContributionStorage,
    private readonly random: () => Hash = randomHash,
  ) {
    const { replaced = [], ...last } = memoryIn(storage.get());
    ({ contributor: this.contributor, trouble: this.trouble } = partOf(last, random));
    if (Array.isArray(replaced)) this.replaced = replaced.map((one) => partOf(one, random));
  }

  /**
   * The messages to send in this state of the deals, null where they are not verifiable. `match` is the number of
   * the match at the table. The memory is stored before the messages are returned.
   */
  react(deals: unknown, match: number, seat: number | null): Contribution[] {
    const found: Contribution[] = [];
    try {
      if (deals === null) this.#checkSilence(match);
      else {
        const state = readDealState(deals);
        const contributor = this.#contributorOf(state.announcement, match);
        if (!this.trouble) {
          found.push(...this.#follow(contributor, state, seat));
          if (seat !== null) found.push(...this.#commit(contributor, state.nextPack, seat));
        }
      }
    } catch (error) {
      if (!(error instanceof FairError)) throw error;
      this.trouble ??= error;
      found.length = 0;
    }
    this.#store();
    return found;
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
    this.replaced = this.replaced.filter(
      ({ contributor }) => contributor?.announcement.match.number !== number,
    );
    this.#store();
  }

  #store(): void {
    const { contributor, trouble, replaced } = this;
    if (!contributor && !trouble) return;
    const memory: Memory = { ...stored(this), replaced: replaced.map(stored) };
    this.storage.put(JSON.stringify(memory));
  }

  /** Checks that the deals of this match, or of a later one, were not announced as verifiable. */
  #checkSilence(match: number): void {
    if (match <= (this.contributor?.announcement.match.number ?? -1)) {
      throw new FairError(0, "the deals of this match were announced as verifiable");
    }
  }

  /** The contributor of the present match; throws if this is not the match that the server has announced. */
  #contributorOf(announcement: Announcement, match: number): DealContributor {
    const before = this.contributor?.announcement;
    const number = before?.match.number ?? 0;
    if (!sameMatch(announcement, { match: matchId(this.table, match), end: announcement.end })) {
      throw new FairError(0, "the deals are announced for another match or table");
    }
    if (!this.contributor || match > number) {
      if (this.contributor && this.replaced.length < MAX_REPLACED) {
        this.replaced.push({ contributor: this.contributor, trouble: this.trouble });
      }
      this.trouble = null;
      this.repeat();
      this.contributor = new DealContributor(announcement, this.seats, this.random);
    } else if (before && !sameMatch(announcement, before)) {
      throw new FairError(0, "the server has bound itself to other secrets");
    }
    return this.contributor;
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

const stored = ({ contributor, trouble }: Part): StoredPart => ({
  contributor: contributor?.serialize() ?? null,
  trouble: trouble && { pack: trouble.pack, message: trouble.message },
});

/** A part as it was stored; without a contributor nothing is known. */
function partOf({ contributor: text = null, trouble = null }: Partial<StoredPart>, random: () => Hash): Part {
  const contributor = DealContributor.deserialize(text, random);
  const known = contributor && trouble ? new FairError(trouble.pack, trouble.message) : null;
  return { contributor, trouble: known };
}

/** Parses the stored state of a participant; empty if there is none or it is invalid. */
function memoryIn(text: string | null): Partial<Memory> {
  try {
    return Object(JSON.parse(text ?? "null")) as Partial<Memory>;
  } catch {
    return {};
  }
}
