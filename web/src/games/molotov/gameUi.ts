// The display of Molotov: strokes and sacks on the slate, and runs in a trick that cost points.
import { m } from "../../i18n";
import { scoreEntry } from "../scoreEntry";
import type { OwnUi } from "../GameUi";
import RoundResult from "./RoundResult.svelte";
import MolotovSlate from "./MolotovSlate.svelte";

export const gameUi: OwnUi = {
  slate: MolotovSlate,
  roundResult: RoundResult,
  matchFigure: { key: "tallies", best: "high" },
  scoreEntry: (view, index, seat) => {
    const one = scoreEntry(view, index, seat);
    return one.mark === "0" ? { ...one, sack: m.mark_sack() } : one;
  },
};
