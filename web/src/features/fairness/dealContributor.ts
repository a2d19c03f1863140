// This participant's record of the deals: makes contributions, opens each for one call only, and remembers
// what the server published, to compare it with the record at the end (docs/fair-deals.md).
import { FairError } from "./errors";
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

/** What was seen of a pack. */
export interface Seen {
  call: Call;
  /** The seats left out by each void attempt; null for one that was missed. */
  voids: (number[] | null)[];
  /** How many attempts have decided it, or will: at least, and at most, as far as is known. */
  attempts: [least: number, most: number];
}

/** The state of a contributor as plain JSON. */
export interface Memory {
  announcement: Announcement;
  seats: number;
  ends: Hash[];
  /** By pack and seat, separated by a space: the contributions made. */
  held: [string, Hash[]][];
  seen: [number, Seen][];
  /** By pack: the seat, and the attempt that was opened last. */
  opened: [number, [number, number]][];
  last: number;
  /** Whether it takes no part any more. */
  retired: boolean;
}

/**
 * A client's record of the deals of a match. It commits to a pack only before any word of its call, so that the
 * server cannot have it called again until it likes the order.
 */
export class DealContributor {
  private ends: Hash[];
  private held = new Map<string, Hash[]>();
  private seen = new Map<number, Seen>();
  private opened = new Map<number, [number, number]>();
  private lastCalled = 0;
  private retired = false;

  constructor(
    readonly announcement: Announcement,
    private readonly seats: number,
    private readonly random: () => Hash = randomHash,
  ) {
    this.ends = [announcement.end];
  }

  /**
   * The state of this contributor, to be stored through a page reload. Store it before sending what `open` or
   * `openAfterVoid` returned: a contribution must not be opened for a second call later.
   */
  serialize(): string {
    return JSON.stringify(this.memory);
  }

  /** Restores a contributor; null if the text is none. */
  static deserialize(text: string | null, random = randomHash): DealContributor | null {
    const memory = memoryIn(text);
    if (!memory) return null;
    const contributor = new DealContributor(memory.announcement, memory.seats, random);
    contributor.ends = memory.ends;
    contributor.held = new Map(memory.held);
    contributor.seen = new Map(memory.seen);
    contributor.opened = new Map(memory.opened);
    contributor.lastCalled = memory.last;
    contributor.retired = memory.retired;
    return contributor;
  }

  /** All that this contributor knows, to compare it with the evidence at the end. */
  get memory(): Memory {
    const { announcement, seats, ends, lastCalled: last, retired } = this;
    const [held, seen, opened] = [[...this.held], [...this.seen], [...this.opened]];
    return { announcement, seats, ends, held, seen, opened, last, retired };
  }

  /**
   * Forgets the packs, because they cannot be stored, and takes no part any more. What is left has a fixed size: what
   * was announced, and how far the server has come.
   */
  retire(): void {
    this.retired = true;
    this.ends = [this.announcement.end];
    for (const known of [this.held, this.seen, this.opened]) known.clear();
  }

  /** The number of the attempt at a pack that was seen called, after the void ones told. */
  attempt(pack: number): number {
    return (this.seen.get(pack)?.voids.length ?? 0) + 1;
  }

  /**
   * The commitments to contributions for a pack, to be sent in advance. They are made once: the server may have
   * called them already when the connection was lost, and only those can be opened. None once this pack, or a
   * later one, has been called.
   */
  commit(pack: number, seat: number): Hash[] {
    if (this.retired || pack <= this.lastCalled) return [];
    const place = `${pack} ${seat}`;
    if (!this.held.has(place)) {
      this.held.set(
        place,
        Array.from({ length: this.seats }, () => this.random()),
      );
    }
    return this.commitments(pack, seat);
  }

  /**
   * The contribution to open after a call, also when the call is repeated; null if this seat is not asked
   * or its commitments are not those of this page. Throws a `FairError` if the call contradicts earlier
   * messages: then nothing must be opened, and the person should know.
   */
  open(call: Call, seat: number | null): Hash | null {
    if (this.retired) return null;
    const seen = this.seen.get(call.pack);
    if (seen && !sameCall(seen.call, call)) {
      throw new FairError(call.pack, "it is called a second time with something else");
    }
    if (!seen) {
      this.check(call);
      const most = seatsOf(call.commitments).length + 1;
      this.seen.set(call.pack, { call: structuredClone(call), voids: [], attempts: [1, most] });
      if (call.ends.length >= this.ends.length) this.ends = [...call.ends];
      this.lastCalled = call.pack;
    }
    return this.opening(call.pack, seat);
  }

  /**
   * The contribution to open for the attempt after a void one; null if this seat is not asked, or if an earlier
   * void attempt was missed, so that it is unknown who is asked.
   */
  openAfterVoid({ pack, attempt, missing }: Void, seat: number | null): Hash | null {
    const seen = this.seen.get(pack);
    if (!seen) return null;
    const out = [...new Set(missing)].sort((one, other) => one - other);
    const missed = attempt - 1 - seen.voids.length;
    if (missed < 0) {
      const known = seen.voids[attempt - 1];
      if (known && !same(known.map(String), out.map(String))) {
        throw new FairError(pack, "others were missing in that attempt");
      }
      return this.opening(pack, seat);
    }
    const asked = maybeAsked(seen);
    if (out.length === 0 || !out.every((one) => asked.includes(one))) {
      throw new FairError(pack, "those left out were not asked");
    }
    // Each attempt that was missed has left out somebody else.
    const untold = missed + seen.voids.filter((one) => one === null).length;
    const left = asked.length - out.length - untold;
    if (!narrow(seen, attempt + 1, attempt + 1 + left)) {
      throw new FairError(pack, "no such attempt is under way");
    }
    seen.voids.push(...Array.from({ length: missed }, () => null), out);
    return this.opening(pack, seat);
  }

  /**
   * Notes how far the server has come: the first pack not yet called, and whether the one before is decided, by
   * the attempt after its last void one.
   */
  noteNextPack(nextPack: number, decided: boolean): void {
    const seen = this.seen.get(nextPack - 1);
    const attempts = this.attempt(nextPack - 1);
    if (decided && seen && !narrow(seen, attempts, attempts)) {
      throw new FairError(nextPack - 1, "another attempt has decided it");
    }
    this.lastCalled = Math.max(this.lastCalled, nextPack - 1);
  }

  private check({ pack, position, ends, commitments }: Call): void {
    if (pack <= this.lastCalled) {
      throw new FairError(pack, "it, or a later one, has been called before");
    }
    if (!this.canBegin(pack, position)) {
      throw new FairError(pack, "there cannot have been so many attempts before it");
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

  /**
   * Whether a pack can begin there, and what that says of the last one seen before: each pack between takes an attempt
   * at least, and one more than there are seats at most.
   */
  private canBegin(pack: number, position: number): boolean {
    const last = Math.max(0, ...this.seen.keys());
    const before = this.seen.get(last);
    const unseen = pack - 1 - last;
    if (!before) return unseen <= position && position <= unseen * (this.seats + 1);
    const taken = position - before.call.position - unseen;
    return narrow(before, taken - unseen * this.seats, taken);
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
    this.opened.set(pack, [seat, seen.voids.length + 1]);
    return this.held.get(`${pack} ${seat}`)?.[seen.voids.length] ?? null;
  }
}

/** Parses the stored state of a contributor; null if it is invalid or of an older format. */
function memoryIn(text: string | null): Memory | null {
  try {
    const memory = JSON.parse(text ?? "null") as Partial<Memory> | null;
    const lists = [memory?.ends, memory?.held, memory?.seen, memory?.opened];
    const whole =
      memory?.announcement?.match && lists.every(Array.isArray) && typeof memory.retired === "boolean";
    const numbers = [memory?.seats, memory?.last, ...(memory?.seen ?? []).flatMap(([, one]) => one.attempts)];
    return whole && numbers.every(Number.isInteger) ? (memory as Memory) : null;
  } catch {
    return null;
  }
}

export function same(one: readonly string[], other: readonly string[]): boolean {
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

export function seatsOf(commitments: Record<number, Hash[]>): number[] {
  return Object.keys(commitments)
    .map(Number)
    .sort((one, other) => one - other);
}

/** The seats that may be asked in the attempt under way, as far as is known. */
function maybeAsked({ call, voids }: Seen): number[] {
  const out = voids.flatMap((missing) => missing ?? []);
  return seatsOf(call.commitments).filter((seat) => !out.includes(seat));
}

/** The seats asked in the attempt under way; none if that is unknown. */
function askedIn(seen: Seen | undefined): number[] {
  return !seen || seen.voids.includes(null) ? [] : maybeAsked(seen);
}

/** Notes between which numbers that of the attempts at a pack is; whether that can be. */
function narrow(seen: Seen, least: number, most: number): boolean {
  const found: Seen["attempts"] = [Math.max(seen.attempts[0], least), Math.min(seen.attempts[1], most)];
  if (found[0] > found[1]) return false;
  seen.attempts = found;
  return true;
}
