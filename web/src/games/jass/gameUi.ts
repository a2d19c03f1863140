// Jass each for himself: stay or drop, the blind on the table, Weis, and those who only watch.
import { m } from "../../i18n";
import { satOut, watches } from "./model";
import { written } from "../scoreEntry";
import type { GameUi } from "../GameUi";
import WeisHistory from "../weis/WeisHistory.svelte";
import TrumpCorner from "./TrumpCorner.svelte";
import Dock from "./Dock.svelte";
import ActionPanels from "./ActionPanels.svelte";
import RoundResult from "./RoundResult.svelte";
import JassSlate from "./JassSlate.svelte";
import BlindAndTurnedCard from "./BlindAndTurnedCard.svelte";

export const gameUi: Partial<GameUi> = {
  corner: TrumpCorner,
  beside: BlindAndTurnedCard,
  panels: ActionPanels,
  verbs: ["stay", "drop", "blind", "rob"],
  dock: Dock,
  past: { title: m.last_trick, icon: "trick", small: false, body: WeisHistory },
  slate: JassSlate,
  round: RoundResult,
  written: (view, index, seat) => {
    const one = written(view, index, seat);
    if (satOut(view, index, seat)) return { ...one, absent: true };
    return one.mark === "0" ? { ...one, sack: m.mark_null() } : one;
  },
  watches,
};
