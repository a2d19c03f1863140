// The state of the table in play for its components: what lies on the table, and whether the reader must
// act. A game's own panels, hand and status bar read everything from here.
import { m } from "../../i18n";
import { offlineText } from "../../i18n/errorText";
import type { Turn, View } from "../../api/messages";
import type { TableState } from "../../table/tableState";
import type { PlaySource } from "./playSource";

export class PlayState {
  /** Whether the reader keeps their Weis to themselves; otherwise it is announced with the next card. */
  declinesWeis = $state(false);
  /** The play of a card that waits because the reader may rob first (JS5). */
  playBeforeRobbing = $state<string | null>(null);
  /** When the players to act now began to think. */
  #began = $state(Date.now());

  /** Must be created while the table's component is initialised. */
  constructor(
    readonly source: PlaySource,
    private readonly shown: () => TableState,
  ) {
    const toAct = $derived(this.view?.to_act.join() ?? "");
    $effect(() => {
      void toAct;
      // A restart of the server resets thinking times.
      void this.source.status;
      this.#began = Date.now();
    });
  }

  get state(): TableState {
    return this.shown();
  }

  get view(): View | null {
    return this.state.view;
  }

  /** Whether a round is in progress. */
  get playing(): boolean {
    return this.state.room.phase === "playing";
  }

  /** Whether no completed trick, reveal or dealer draw is being shown. */
  get settled(): boolean {
    const { completedTrick, revealedClaim, announced } = this.source;
    return (
      !completedTrick &&
      !revealedClaim &&
      !announced.some((one) => one.kind === "drawn" || one.kind === "alone")
    );
  }

  /** Whether nothing is shown that must be seen before going on. */
  get idle(): boolean {
    return this.settled && this.source.announced.length === 0;
  }

  /** The text that replaces the turn text while disconnected; else null. */
  get offlineText(): string | null {
    return this.source.current ? null : offlineText(this.source.status);
  }

  /** The text that replaces the turn text: while disconnected, or while an action is on its way. */
  get statusText(): string | null {
    return this.offlineText ?? (this.source.actLate ? m.being_sent() : null);
  }

  /** The reader's legal actions, once the display has caught up. */
  get turn(): Turn | null {
    return this.idle && this.playing ? this.state.turn : null;
  }

  /**
   * When the players to act now began to think, in milliseconds since the epoch, as far as this page can
   * tell: the server sends readers only their own remaining seconds.
   */
  get turnBegan(): number {
    return this.#began;
  }

  /** Performs an action of the game. */
  act(action: string): void {
    void this.source.act(action);
  }
}
