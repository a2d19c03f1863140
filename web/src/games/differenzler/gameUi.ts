// Differenzler: a number is bid before the cards, and the trump card is shown meanwhile.
import { bidIn } from "./bids";
import { m } from "../../i18n";
import { written } from "../scoreEntry";
import type { GameUi } from "../GameUi";
import TrumpCorner from "./TrumpCorner.svelte";
import ActionPanels from "./ActionPanels.svelte";
import RoundResult from "./RoundResult.svelte";
import DifferenzlerSlate from "./DifferenzlerSlate.svelte";

export const gameUi: Partial<GameUi> = {
  corner: TrumpCorner,
  panels: ActionPanels,
  verbs: ["bid"],
  slate: DifferenzlerSlate,
  round: RoundResult,
  written: (view, index, seat) => {
    const one = written(view, index, seat);
    return { ...one, points: `${one.points}/${bidIn(view, index, seat) ?? ""}` };
  },
  listed: m.all_rounds_bids,
};
