// The state of the table in play for its components: what lies on the table, and whether the reader has to
// act. A game's own panels, hand and status bar take everything from here.
import { offlineText } from "../../i18n/errorText";
import type { Turn, View } from "../../api/messages";
import type { TableState } from "../../table/tableState";
import type { PlaySource } from "./playSource";

export class Play {
  /** Words that go with the next card, such as `weis`: a panel offers them, the hand plays them. */
  cardSuffix = $state("");
  /** When those to act now began to think. */
  #began = $state(Date.now());

  /** Made where the component of the table begins. */
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

  /** A round is on. */
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

  /** What stands in the place of whose turn it is while the connection is gone; else null. */
  get offlineText(): string | null {
    return this.source.current ? null : offlineText(this.source.status);
  }

  /** What the reader may do, once the picture shows so. */
  get turn(): Turn | null {
    return this.idle && this.playing ? this.state.turn : null;
  }

  /**
   * When those to act now began to think, in milliseconds of the clock, as far as this page can tell:
   * readers are only told their own remaining seconds.
   */
  get turnBegan(): number {
    return this.#began;
  }

  /** Does an action of the game. */
  act(action: string): void {
    void this.source.act(action);
  }
}
