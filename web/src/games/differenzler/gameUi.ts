// The display of Differenzler: a bid before the cards, with the trump card shown meanwhile.
import { bidInRound } from "./bids";
import { m } from "../../i18n";
import { scoreEntry } from "../scoreEntry";
import type { OwnUi } from "../GameUi";
import TrumpCorner from "./TrumpCorner.svelte";
import ActionPanels from "./ActionPanels.svelte";
import RoundResult from "./RoundResult.svelte";
import DifferenzlerSlate from "./DifferenzlerSlate.svelte";

export const gameUi: OwnUi = {
  trumpCorner: TrumpCorner,
  actionPanels: ActionPanels,
  ownVerbs: ["bid"],
  slate: DifferenzlerSlate,
  roundResult: RoundResult,
  scoreEntry: (view, index, seat) => {
    const one = scoreEntry(view, index, seat);
    return { ...one, points: `${one.points}/${bidInRound(view, index, seat) ?? ""}` };
  },
  allRoundsTitle: m.all_rounds_bids,
  matchFigure: { key: "difference", best: "low" },
};
