// The verdict on the deals of a match that has ended: fetches its record, and judges it on this page.
import { untrack } from "svelte";
import { getLatestRecord } from "../../api/rest";
import type { RoomInfo } from "../../api/messages";
import { judgeRecord, type Verdict, type Witness } from "./verdict";

export class MatchVerdict {
  /** The verdict; null until there is one, and where the deals are not verifiable. */
  verdict = $state.raw<Verdict | null>(null);
  /** Whether the record could not be fetched, so that nothing is known about the deals. */
  unread = $state(false);
  #tries = $state(0);

  /** Judges the last match of a table as soon as it is over or closed; create it in a component. */
  constructor(room: () => RoomInfo, witness: () => Witness | null) {
    // The number of the match, so that nothing is fetched again when the room changes otherwise.
    const published = $derived.by(() => {
      const { phase, fair, number } = room();
      const ended = phase === "over" || phase === "closed";
      return ended && number > 0 && (fair !== null || witness()) ? number : null;
    });
    $effect(() => {
      if (published === null) return;
      void this.#tries;
      const ended = untrack(room);
      let wanted = true;
      void (async () => {
        const text = await getLatestRecord(ended).catch(() => null);
        if (!wanted) return;
        this.unread = text === null;
        this.verdict = text === null ? null : judgeRecord(text, witness(), ended.phase === "closed");
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
