// Takes this page's part in the shuffling protocol of a table. It reacts to the state of the deals, which
// may be repeated or skip steps after a reconnect or a reload.
import type { FairDealState } from "../../api/messages";
import { FairError } from "./errors";
import type { Hash } from "./hashing";
import { DealContributor, type Announcement, type Call, type Void } from "./dealContributor";

/** How many packs a commitment covers in advance: some follow one another immediately. */
const PACKS_AHEAD = 3;

export type Contribution =
  | { type: "commit"; pack: number; commitments: Hash[] }
  | { type: "open"; pack: number; attempt: number; opening: Hash };

/** Storage that keeps a contributor through a page reload. */
export interface ContributionStorage {
  get(): string | null;
  put(text: string): void;
}

export class Participant {
  /** The contributor of the current match; null before the first match with verifiable deals. */
  contributor: DealContributor | null = null;
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
    private readonly shelf: ContributionStorage,
  ) {}

  /**
   * The messages to send in this state of the deals; the contributor is stored before they are returned.
   * `whole`: the state comes from a snapshot, so earlier changes may have been missed.
   */
  react(fair: FairDealState, seat: number | null, whole: boolean): Contribution[] {
    try {
      const contributor = this.#of(fair.announcement as unknown as Announcement);
      if (this.trouble) return [];
      const call = fair.call as unknown as Call | null;
      // Packs decided while disconnected cannot be checked against the record.
      if (whole && this.#pending !== null && call?.pack !== this.#pending) contributor.forget(this.#pending);
      this.#pending = call?.pack ?? null;
      const found = [...this.#open(contributor, fair, seat), ...this.#commit(contributor, fair, seat)];
      this.shelf.put(contributor.serialize());
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

  #of(announcement: Announcement): DealContributor {
    const known = this.contributor?.announcement;
    const same =
      known?.end === announcement.end &&
      known.match.table === announcement.match.table &&
      known.match.number === announcement.match.number;
    if (this.contributor && same) return this.contributor;
    this.trouble = false;
    this.#committed = new Set();
    this.#before = new Set();
    this.#opened = "";
    this.contributor =
      DealContributor.deserialize(this.shelf.get(), announcement) ??
      new DealContributor(announcement, this.seats);
    this.#pending = this.contributor.last;
    return this.contributor;
  }

  #commit(contributor: DealContributor, fair: FairDealState, seat: number | null): Contribution[] {
    if (seat === null) return [];
    const packs = Array.from({ length: PACKS_AHEAD }, (_, step) => fair.next_pack + step);
    const fresh = packs.filter((pack) => !this.#committed.has(`${pack} ${seat}`));
    this.#committed = new Set(packs.map((pack) => `${pack} ${seat}`));
    return fresh.map((pack) => ({
      type: "commit",
      pack,
      commitments: this.#before.has(`${pack} ${seat}`)
        ? contributor.commitAgain(pack, seat)
        : contributor.commit(pack, seat),
    }));
  }

  #open(contributor: DealContributor, fair: FairDealState, seat: number | null): Contribution[] {
    const call = fair.call as unknown as Call | null;
    const gone = fair.void as unknown as Void | null;
    if (!call) {
      if (gone) end(contributor, gone);
      return [];
    }
    const attempt = gone ? gone.attempt + 1 : 1;
    if (this.#opened === `${call.pack} ${attempt}`) return [];
    let opening = contributor.open(call, seat);
    const known = contributor.voids(call.pack);
    if (known < attempt - 2) contributor.forget(call.pack);
    else if (gone && known === attempt - 2) opening = contributor.openMissing(gone, seat);
    this.#opened = `${call.pack} ${attempt}`;
    return opening === null ? [] : [{ type: "open", pack: call.pack, attempt, opening }];
  }
}

/** Records the final void attempt at a pack, or forgets the pack if earlier attempts were missed. */
function end(contributor: DealContributor, gone: Void): void {
  const known = contributor.voids(gone.pack);
  if (known === gone.attempt - 1) contributor.openMissing(gone, null);
  else if (known < gone.attempt - 1) contributor.forget(gone.pack);
}
