// Takes this page's part in the shuffling protocol of a table. It reacts to the state of the deals, which
// may be repeated or skip steps after a reconnect or a reload.
import type { FairDealState } from "../../api/messages";
import { FairError } from "./errors";
import type { Hash } from "./hashing";
import { Witness, type Announcement, type Call, type Void } from "./witness";

/** How many packs a commitment covers in advance: some follow one another immediately. */
const PACKS_AHEAD = 3;

export type Contribution =
  | { type: "commit"; pack: number; commitments: Hash[] }
  | { type: "open"; pack: number; attempt: number; opening: Hash };

/** Where a witness is kept through a reload of the page. */
export interface WitnessStorage {
  get(): string | null;
  put(text: string): void;
}

export class Participant {
  /** Of the present match; null before there is one that is dealt fairly. */
  witness: Witness | null = null;
  /** Something did not fit: nothing is contributed any more, and the record will tell. */
  trouble = false;
  #committed = new Set<string>();
  /** What this page itself had sent when the connection was lost; another one makes its own. */
  #before = new Set<string>();
  #opened = "";
  /** The pack under call when last heard of; null when it was decided then. */
  #pending: number | null = null;

  constructor(
    private readonly seats: number,
    private readonly shelf: WitnessStorage,
  ) {}

  /**
   * What to send now that the deals stand so; what it opens is kept before. `whole`: it is told anew
   * and not as what has just changed, so that something may have been missed.
   */
  react(fair: FairDealState, seat: number | null, whole: boolean): Contribution[] {
    try {
      const witness = this.#of(fair.announcement as unknown as Announcement);
      if (this.trouble) return [];
      const call = fair.call as unknown as Call | null;
      // Packs decided while disconnected cannot be checked against the record.
      if (whole && this.#pending !== null && call?.pack !== this.#pending) witness.forget(this.#pending);
      this.#pending = call?.pack ?? null;
      const found = [...this.#open(witness, fair, seat), ...this.#commit(witness, fair, seat)];
      this.shelf.put(witness.serialize());
      return found;
    } catch (error) {
      if (!(error instanceof FairError)) throw error;
      this.trouble = true;
      return [];
    }
  }

  /**
   * What was sent is to be sent again: the server forgets with the connection what it has not called
   * yet, and with a restart what it has not dealt yet.
   */
  repeat(): void {
    this.#before = this.#committed;
    this.#committed = new Set();
    this.#opened = "";
  }

  #of(announcement: Announcement): Witness {
    const known = this.witness?.announcement;
    const same =
      known?.end === announcement.end &&
      known.match.table === announcement.match.table &&
      known.match.number === announcement.match.number;
    if (this.witness && same) return this.witness;
    this.trouble = false;
    this.#committed = new Set();
    this.#before = new Set();
    this.#opened = "";
    this.witness =
      Witness.deserialize(this.shelf.get(), announcement) ?? new Witness(announcement, this.seats);
    this.#pending = this.witness.last;
    return this.witness;
  }

  #commit(witness: Witness, fair: FairDealState, seat: number | null): Contribution[] {
    if (seat === null) return [];
    const packs = Array.from({ length: PACKS_AHEAD }, (_, step) => fair.next_pack + step);
    const fresh = packs.filter((pack) => !this.#committed.has(`${pack} ${seat}`));
    this.#committed = new Set(packs.map((pack) => `${pack} ${seat}`));
    return fresh.map((pack) => ({
      type: "commit",
      pack,
      commitments: this.#before.has(`${pack} ${seat}`)
        ? witness.commitAgain(pack, seat)
        : witness.commit(pack, seat),
    }));
  }

  #open(witness: Witness, fair: FairDealState, seat: number | null): Contribution[] {
    const call = fair.call as unknown as Call | null;
    const gone = fair.void as unknown as Void | null;
    if (!call) {
      if (gone) end(witness, gone);
      return [];
    }
    const attempt = gone ? gone.attempt + 1 : 1;
    if (this.#opened === `${call.pack} ${attempt}`) return [];
    let opening = witness.open(call, seat);
    const known = witness.voids(call.pack);
    if (known < attempt - 2) witness.forget(call.pack);
    else if (gone && known === attempt - 2) opening = witness.openMissing(gone, seat);
    this.#opened = `${call.pack} ${attempt}`;
    return opening === null ? [] : [{ type: "open", pack: call.pack, attempt, opening }];
  }
}

/** Remembers the attempt in which the last ones did not open; what came before may be missed. */
function end(witness: Witness, gone: Void): void {
  const known = witness.voids(gone.pack);
  if (known === gone.attempt - 1) witness.openMissing(gone, null);
  else if (known < gone.attempt - 1) witness.forget(gone.pack);
}
