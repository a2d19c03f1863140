// The default display of a game: a trick, a hand of cards, every figure by its name.
import { m } from "../../i18n";
import AllRounds from "./AllRounds.svelte";
import GenericRoundResult from "./GenericRoundResult.svelte";
import { scoreEntry } from "../scoreEntry";
import type { GameUi } from "../GameUi";
import TrumpCorner from "./TrumpCorner.svelte";
import StatusBarAndHand from "./StatusBarAndHand.svelte";
import LastTrickPanel from "./LastTrickPanel.svelte";
import GenericSlate from "./GenericSlate.svelte";

export const genericUi: GameUi = {
  trumpCorner: TrumpCorner,
  centre: null,
  beside: null,
  actionPanels: null,
  ownVerbs: [],
  statusBarAndHand: StatusBarAndHand,
  history: { title: m.last_trick, icon: "trick", small: false, body: LastTrickPanel },
  slate: GenericSlate,
  roundResult: GenericRoundResult,
  allRounds: AllRounds,
  scoreEntry,
  allRoundsTitle: () => "",
  pointsAtSeats: true,
  isWatching: () => false,
};
