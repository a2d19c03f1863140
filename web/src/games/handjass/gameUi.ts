// The display of Handjass: stay or drop, the blind on the table, Weis, and players who only watch.
import { m } from "../../i18n";
import { satOut, isWatching } from "./model";
import { scoreEntry } from "../scoreEntry";
import type { OwnUi } from "../GameUi";
import LastTrickAndShownWeis from "../weis/LastTrickAndShownWeis.svelte";
import TrumpCorner from "./TrumpCorner.svelte";
import StatusBarAndHand from "./StatusBarAndHand.svelte";
import ActionPanels from "./ActionPanels.svelte";
import RoundResult from "./RoundResult.svelte";
import HandjassSlate from "./HandjassSlate.svelte";
import BlindAndTurnedCard from "./BlindAndTurnedCard.svelte";

export const gameUi: OwnUi = {
  trumpCorner: TrumpCorner,
  beside: BlindAndTurnedCard,
  actionPanels: ActionPanels,
  ownVerbs: ["stay", "drop", "blind", "rob"],
  statusBarAndHand: StatusBarAndHand,
  history: { title: m.last_trick, icon: "trick", small: false, body: LastTrickAndShownWeis },
  slate: HandjassSlate,
  roundResult: RoundResult,
  scoreEntry: (view, index, seat) => {
    const one = scoreEntry(view, index, seat);
    if (satOut(view, index, seat)) return { ...one, absent: true };
    return one.mark === "0" ? { ...one, sack: m.mark_null() } : one;
  },
  isWatching,
};
