// The display of Molotow: sticks and potatoes on the slate.
import type { OwnUi } from "../GameUi";
import RoundResult from "./RoundResult.svelte";
import MolotowSlate from "./MolotowSlate.svelte";

export const gameUi: OwnUi = {
  slate: MolotowSlate,
  roundResult: RoundResult,
  matchFigure: { key: "net", best: "high" },
};
