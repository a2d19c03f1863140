// The default display of a game: a trick, a hand of cards, every figure by its name.
import { m } from "../../i18n";
import AllRounds from "./AllRounds.svelte";
import GenericRound from "./GenericRound.svelte";
import { scoreEntry } from "../scoreEntry";
import type { GameUi } from "../GameUi";
import TrumpCorner from "./TrumpCorner.svelte";
import PlayerArea from "./PlayerArea.svelte";
import LastTrickHistory from "./LastTrickHistory.svelte";
import GenericSlate from "./GenericSlate.svelte";

export const genericUi: GameUi = {
  trumpCorner: TrumpCorner,
  centre: null,
  beside: null,
  actionPanels: null,
  ownVerbs: [],
  playerArea: PlayerArea,
  history: { title: m.last_trick, icon: "trick", small: false, body: LastTrickHistory },
  slate: GenericSlate,
  roundResult: GenericRound,
  allRounds: AllRounds,
  scoreEntry,
  allRoundsTitle: () => "",
  pointsAtSeats: true,
  isWatching: () => false,
};
