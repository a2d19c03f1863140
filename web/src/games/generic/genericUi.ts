// The default display of a game: a trick and a hand of cards.
import { m } from "../../i18n";
import AllRounds from "./AllRounds.svelte";
import { scoreEntry } from "../scoreEntry";
import type { GameUi } from "../GameUi";
import TrumpCorner from "./TrumpCorner.svelte";
import StatusBarAndHand from "./StatusBarAndHand.svelte";
import LastTrickPanel from "./LastTrickPanel.svelte";

export const genericUi: Omit<GameUi, "slate" | "roundResult"> = {
  trumpCorner: TrumpCorner,
  centre: null,
  beside: null,
  actionPanels: null,
  ownVerbs: [],
  statusBarAndHand: StatusBarAndHand,
  history: { title: m.last_trick, icon: "trick", small: false, body: LastTrickPanel },
  allRounds: AllRounds,
  scoreEntry,
  allRoundsTitle: () => "",
  matchFigure: null,
  pointsAtSeats: true,
  said: null,
  isWatching: () => false,
};
