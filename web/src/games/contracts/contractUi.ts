// The display that Schieber and Coiffeur share: the contract and its factor, who announces, points by
// team.
import { m } from "../../i18n";
import type { GameUi } from "../GameUi";
import StatusBarAndHand from "../weis/StatusBarAndHand.svelte";
import LastTrickAndShownWeis from "../weis/LastTrickAndShownWeis.svelte";
import RoundResult from "./RoundResult.svelte";
import AllContractRounds from "./AllContractRounds.svelte";
import ContractCorner from "./ContractCorner.svelte";
import ActionPanels from "./ActionPanels.svelte";

export const contractUi = {
  trumpCorner: ContractCorner,
  actionPanels: ActionPanels,
  ownVerbs: ["trump", "tops", "bottoms", "slalom", "guschti", "joker", "push"],
  statusBarAndHand: StatusBarAndHand,
  history: { title: m.last_trick, icon: "trick", small: true, body: LastTrickAndShownWeis },
  roundResult: RoundResult,
  allRounds: AllContractRounds,
  matchFigure: { key: "points", best: "high" },
  pointsAtSeats: false,
} satisfies Partial<GameUi>;
