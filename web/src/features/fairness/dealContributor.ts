// This participant's record of the deals: makes contributions, opens each for one call only, and remembers
// what the server published, to compare it with the record at the end (docs/fair-deals.md).
import { FairError } from "./errors";
import type { Attempt, Evidence } from "./evidence";
import { CHAIN_LENGTH, commitment, randomHash, type Hash, type MatchId } from "./hashing";

export interface Announcement {
  match: MatchId;
  end: Hash;
}

/** The server's call for a pack, with all commitments by seat: one per possible attempt. */
export interface Call {
  pack: number;
  position: number;
  ends: Hash[];
  commitments: Record<number, Hash[]>;
}

/** A void attempt, and the seats omitted from the next one. */
export interface Void {
  pack: number;
  attempt: number;
  missing: number[];
}

interface Seen {
  call: Call;
  voids: number[][];
}

/** The state of a contributor as plain JSON. */
interface Memory {
  announcement: Announcement;
  seats: number;
  ends: Hash[];
  held: [string, Hash[]][];
  seen: [number, Seen][];
  opened: [number, number][];
}

/** A client's record of the deals of a match. */
export class DealContributor {
  private ends: Hash[];
  private held = new Map<string, Hash[]>();
  private seen = new Map<number, Seen>();
  private opened = new Map<number, number>();

  constructor(
    readonly announcement: Announcement,
    private readonly seats: number,
    private readonly random: () => Hash = randomHash,
  ) {
    this.ends = [announcement.end];
  }

  /**
   * The state of this contributor, to be stored through a page reload. Store it before sending what `open` or
   * `openMissing` returned: a contribution must not be opened for a second call later.
   */
  serialize(): string {
    const { announcement, seats, ends } = this;
    const [held, seen, opened] = [[...this.held], [...this.seen], [...this.opened]];
    return JSON.stringify({ announcement, seats, ends, held, seen, opened } satisfies Memory);
  }

  /**
   * Restores a contributor; null if the text is invalid or of another match. Throws a `FairError` if the
   * server now announces something else for the same match.
   */
  static deserialize(text: string | null, announcement: Announcement): DealContributor | null {
    const memory = memoryIn(text);
    const match = memory?.announcement.match;
    if (!memory || match?.table !== announcement.match.table) return null;
    if (match.number !== announcement.match.number) return null;
    if (memory.announcement.end !== announcement.end) {
      throw new FairError(0, "the server has bound itself to other secrets");
    }
    const contributor = new DealContributor(announcement, memory.seats);
    contributor.ends = memory.ends;
    contributor.held = new Map(memory.held);
    contributor.seen = new Map(memory.seen);
    contributor.opened = new Map(memory.opened);
    return contributor;
  }

  /** The last pack that was called; null before the first. */
  get last(): number | null {
    return this.seen.size > 0 ? Math.max(...this.seen.keys()) : null;
  }

  /** The number of known void attempts at a pack. */
  voids(pack: number): number {
    return this.seen.get(pack)?.voids.length ?? 0;
  }

  /**
   * Forgets a pack whose decision was missed. Its contributions are discarded, because they must not be
   * opened for another call.
   */
  forget(pack: number): void {
    this.seen.delete(pack);
    this.opened.delete(pack);
    for (const place of [...this.held.keys()]) {
      if (place.startsWith(`${pack} `)) this.held.delete(place);
    }
  }

  /** Commitments to fresh contributions for a pack, to be sent in advance. */
  commit(pack: number, seat: number): Hash[] {
    if (this.seen.has(pack)) throw new FairError(pack, "it has been called already");
    const made = Array.from({ length: this.seats }, () => this.random());
    this.held.set(`${pack} ${seat}`, made);
    return this.commitments(pack, seat);
  }

  /**
   * The commitments to send for a pack after a lost connection: the same as before, if there were any.
   * The server may have called them already, and only those can be opened.
   */
  commitAgain(pack: number, seat: number): Hash[] {
    const made = this.commitments(pack, seat);
    return made.length > 0 && !this.seen.has(pack) ? made : this.commit(pack, seat);
  }

  /**
   * The contribution to open after a call, also when the call is repeated; null if this seat is not asked
   * or its commitments are not those of this page. Throws a `FairError` if the call contradicts earlier
   * messages: then nothing must be opened, and the person should know.
   */
  open(call: Call, seat: number | null): Hash | null {
    const seen = this.seen.get(call.pack);
    if (seen && !sameCall(seen.call, call)) {
      throw new FairError(call.pack, "it is called a second time with something else");
    }
    if (!seen) {
      this.check(call);
      this.seen.set(call.pack, { call: structuredClone(call), voids: [] });
      this.ends = [...call.ends];
    }
    return this.opening(call.pack, seat);
  }

  /** The contribution to open for the attempt after a void one; null if this seat is not asked. */
  openMissing({ pack, attempt, missing }: Void, seat: number | null): Hash | null {
    const seen = this.seen.get(pack);
    if (!seen) return null;
    const asked = askedIn(seen);
    if (attempt !== seen.voids.length + 1) throw new FairError(pack, "no such attempt is on");
    if (missing.length === 0 || !missing.every((one) => asked.includes(one))) {
      throw new FairError(pack, "those left out were not asked");
    }
    seen.voids.push([...missing].sort((one, other) => one - other));
    return this.opening(pack, seat);
  }

  /**
   * Compares the evidence with the messages during the match. Returns the number of packs to which this
   * page contributed; throws a `FairError` if the evidence contradicts them.
   */
  compare({ match, ends, packs }: Evidence): number {
    const own = this.announcement.match;
    if (match.table !== own.table || match.number !== own.number) {
      throw new FairError(0, "the evidence is of another match");
    }
    const shared = Math.min(ends.length, this.ends.length);
    if (shared === 0 || !same(ends.slice(0, shared), this.ends.slice(0, shared))) {
      throw new FairError(0, "the server has bound itself to other secrets");
    }
    let position = 0;
    packs.forEach((attempts, place) => {
      const seen = this.seen.get(place + 1);
      if (seen) compareSeen(seen, attempts, position);
      position += attempts.length;
    });
    const last = Math.max(0, ...this.seen.keys());
    if (last > packs.length) throw new FairError(last, "it was called and is not in the evidence");
    return [...this.seen.keys()].filter((pack) => this.counts(pack)).length;
  }

  /**
   * The packs to which this page had committed but that were decided without it: it was missing in the
   * call, or treated as if it had not opened. A slow connection may be the reason.
   */
  get omittedPacks(): number[] {
    const committed = [...this.held.keys()].map((place) => Number.parseInt(place));
    return [...this.seen.keys()].filter((pack) => committed.includes(pack) && !this.counts(pack));
  }

  private counts(pack: number): boolean {
    return askedIn(this.seen.get(pack)).includes(this.opened.get(pack) ?? -1);
  }

  private check({ pack, position, ends, commitments }: Call): void {
    if (pack < 1 || [...this.seen.keys()].some((later) => later > pack)) {
      throw new FairError(pack, "a later pack has been called before");
    }
    const before = this.seen.get(pack - 1);
    const expected = before ? before.call.position + before.voids.length + 1 : undefined;
    if (position !== (pack === 1 ? 0 : (expected ?? position))) {
      throw new FairError(pack, "there have been other attempts before");
    }
    const seats = seatsOf(commitments);
    const chains = Math.floor((position + seats.length) / CHAIN_LENGTH) + 1;
    if (ends.length !== chains || !same(ends.slice(0, this.ends.length), this.ends.slice(0, chains))) {
      throw new FairError(pack, "the server has bound itself to other secrets");
    }
    for (const seat of seats) {
      const known = Number.isInteger(seat) && seat >= 0 && seat < this.seats;
      if (!known || commitments[seat]?.length !== seats.length) {
        throw new FairError(pack, `seat ${seat} cannot have committed itself so`);
      }
    }
  }

  private commitments(pack: number, seat: number): Hash[] {
    const held = this.held.get(`${pack} ${seat}`) ?? [];
    const { match } = this.announcement;
    return held.map((made, index) => commitment(match, pack, index + 1, seat, made));
  }

  private opening(pack: number, seat: number | null): Hash | null {
    const seen = this.seen.get(pack);
    if (!seen || seat === null || !askedIn(seen).includes(seat)) return null;
    const called = seen.call.commitments[seat] ?? [];
    if (!same(called, this.commitments(pack, seat).slice(0, called.length))) return null;
    this.opened.set(pack, seat);
    return this.held.get(`${pack} ${seat}`)?.[seen.voids.length] ?? null;
  }
}

/** Parses the stored state of a contributor; null if it is invalid or of an older format. */
function memoryIn(text: string | null): Memory | null {
  try {
    const memory = JSON.parse(text ?? "null") as Partial<Memory> | null;
    const lists = [memory?.ends, memory?.held, memory?.seen, memory?.opened];
    const whole = memory?.announcement?.match && lists.every(Array.isArray);
    return whole && Number.isInteger(memory.seats) ? (memory as Memory) : null;
  } catch {
    return null;
  }
}

function same(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, place) => text === other[place]);
}

function sameCall(one: Call, other: Call): boolean {
  const seats = seatsOf(one.commitments);
  return (
    one.position === other.position &&
    same(one.ends, other.ends) &&
    same(seats.map(String), seatsOf(other.commitments).map(String)) &&
    seats.every((seat) => same(one.commitments[seat] ?? [], other.commitments[seat] ?? []))
  );
}

function seatsOf(commitments: Record<number, Hash[]>): number[] {
  return Object.keys(commitments)
    .map(Number)
    .sort((one, other) => one - other);
}

/** The seats asked in the current or deciding attempt. */
function askedIn(seen: Seen | undefined): number[] {
  if (!seen) return [];
  const out = seen.voids.flat();
  return seatsOf(seen.call.commitments).filter((seat) => !out.includes(seat));
}

function compareSeen({ call, voids }: Seen, attempts: readonly Attempt[], position: number): void {
  const { pack } = call;
  if (position !== call.position) throw new FairError(pack, "other attempts were before it");
  if (attempts.length !== voids.length + 1) throw new FairError(pack, "another attempt decided it");
  let seats = seatsOf(call.commitments);
  attempts.forEach(({ people }, index) => {
    const told = seats.map((seat) => `${seat} ${call.commitments[seat]?.[index]}`);
    const said = people.map((one) => `${one.seat} ${one.commitment}`);
    if (!same(told, said)) throw new FairError(pack, "others were called");
    const missing = people.filter(({ opening }) => opening === null).map(({ seat }) => seat);
    const out = voids[index] ?? [];
    if (missing.join() !== out.join()) throw new FairError(pack, "others were missing");
    seats = seats.filter((seat) => !out.includes(seat));
  });
}
