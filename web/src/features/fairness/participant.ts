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

/** Storage that keeps a witness through a page reload. */
export interface WitnessStorage {
  get(): string | null;
  put(text: string): void;
}

export class Participant {
  /** The witness of the current match; null before the first match with verifiable deals. */
  witness: Witness | null = null;
  /** A check failed: the page contributes nothing more, and the record will show what was wrong. */
  trouble = false;
  #committed = new Set<string>();
  /** The commitments that this page had sent when the connection was lost. */
  #before = new Set<string>();
  #opened = "";
  /** The pack being called at the last message; null if it was decided then. */
  #pending: number | null = null;

  constructor(
    private readonly seats: number,
    private readonly shelf: WitnessStorage,
  ) {}

  /**
   * The messages to send in this state of the deals; the witness is stored before they are returned.
   * `whole`: the state comes from a snapshot, so earlier changes may have been missed.
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
   * Makes `react` send everything again: when the connection is lost, the server forgets commitments not
   * yet called, and when it restarts, packs not yet dealt.
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

/** Records the final void attempt at a pack, or forgets the pack if earlier attempts were missed. */
function end(witness: Witness, gone: Void): void {
  const known = witness.voids(gone.pack);
  if (known === gone.attempt - 1) witness.openMissing(gone, null);
  else if (known < gone.attempt - 1) witness.forget(gone.pack);
}
