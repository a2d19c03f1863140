// I Doubt It: claims instead of tricks, a hand by rank, chips on the slate.
import { m } from "../../i18n";
import { written } from "../scoreEntry";
import type { GameUi } from "../GameUi";
import RoundResult from "./RoundResult.svelte";
import Dock from "./Dock.svelte";
import Centre from "./Centre.svelte";
import ActionPanels from "./ActionPanels.svelte";
import ClaimHistory from "./ClaimHistory.svelte";
import ChipSlate from "./ChipSlate.svelte";

export const gameUi: Partial<GameUi> = {
  middle: Centre,
  panels: ActionPanels,
  verbs: ["lay", "doubt", "pass"],
  dock: Dock,
  past: { title: m.claim_log, icon: "list", small: true, body: ClaimHistory },
  slate: ChipSlate,
  round: RoundResult,
  written: (view, index, seat) => ({ ...written(view, index, seat), points: "" }),
  pointsAtSeats: false,
};
