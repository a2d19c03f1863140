// The verdict on the deals of a match that has ended: fetches its record, and judges it on this page.
import { untrack } from "svelte";
import { getRecord } from "../../api/rest";
import type { RoomInfo } from "../../api/messages";
import {
  judgeRecord,
  judgeTrouble,
  missingRecord,
  type MissingRecord,
  type Verdict,
  type Witness,
} from "./verdict";

/** A match whose record is asked for. */
export interface EndedMatch {
  table: string;
  /** The key of the table's link. */
  key: string | null;
  number: number;
  /** Whether its record may end before the match was over. */
  closed: boolean;
}

/** The last match of a table that is over or closed, if its deals were announced as verifiable. */
export function endedMatch(
  { table, key, number, phase, fair }: RoomInfo,
  seen: Witness | null,
): EndedMatch | null {
  const closed = phase === "closed";
  if ((phase !== "over" && !closed) || (fair === null && !seen)) return null;
  // The page knows of a match that has begun, whatever the room says.
  const last = Math.max(number, begunMatch(seen));
  return last > 0 ? { table, key, number: last, closed } : null;
}

/** The number of the match of which the page was told a pack that was called, or found trouble; 0 for none. */
export function begunMatch(seen: Witness | null): number {
  const { announcement, last = 0 } = seen?.contributor?.memory ?? {};
  return last > 0 || seen?.trouble ? (announcement?.match.number ?? 1) : 0;
}

export class MatchVerdict {
  /** The verdict; null until there is one, and where the deals are not verifiable. */
  verdict = $state.raw<Verdict | null>(null);
  /** Why the record has not come, so that nothing is known about the deals. */
  missing = $state<MissingRecord | null>(null);
  #tries = $state(0);

  /** Judges a match as soon as it has ended; null before, and where nothing was announced. Create it in a component. */
  constructor(match: () => EndedMatch | null, witness: () => Witness | null) {
    // Nothing is fetched again when the room changes otherwise.
    const number = $derived(match()?.number ?? null);
    $effect(() => {
      void this.#tries;
      const ended = number === null ? null : untrack(match);
      if (ended === null) return;
      const known = untrack(witness);
      let wanted = true;
      void (async () => {
        const broken = judgeTrouble(known);
        // What the page has found wrong needs no record.
        const text = broken ? "" : await getRecord(ended.table, ended.number, ended.key).catch(missingRecord);
        if (!wanted) return;
        this.missing = typeof text === "string" ? null : text;
        this.verdict = broken ?? (typeof text === "string" ? judgeRecord(text, known, ended.closed) : null);
      })();
      return () => {
        wanted = false;
      };
    });
  }

  /** Fetches the record again. */
  retry(): void {
    this.#tries += 1;
  }
}
