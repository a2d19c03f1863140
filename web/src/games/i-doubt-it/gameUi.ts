// The display of I Doubt It: claims instead of tricks, a hand by rank, chips on the slate.
import { m } from "../../i18n";
import { scoreEntry } from "../scoreEntry";
import type { OwnUi } from "../GameUi";
import RoundResult from "./RoundResult.svelte";
import StatusBarAndHand from "./StatusBarAndHand.svelte";
import Centre from "./Centre.svelte";
import ActionPanels from "./ActionPanels.svelte";
import ClaimHistory from "./ClaimHistory.svelte";
import ChipSlate from "./ChipSlate.svelte";

export const gameUi: OwnUi = {
  centre: Centre,
  actionPanels: ActionPanels,
  ownVerbs: ["lay", "doubt", "pass"],
  statusBarAndHand: StatusBarAndHand,
  history: { title: m.claim_log, icon: "list", small: true, body: ClaimHistory },
  slate: ChipSlate,
  roundResult: RoundResult,
  matchFigure: { key: "chips", best: "high" },
  scoreEntry: (view, index, seat) => ({ ...scoreEntry(view, index, seat), points: "" }),
  pointsAtSeats: false,
};
