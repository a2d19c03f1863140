// The display of Molotow: sticks and potatoes on the slate.
import type { GameUi } from "../GameUi";
import RoundResult from "./RoundResult.svelte";
import MolotowSlate from "./MolotowSlate.svelte";

export const gameUi: Partial<GameUi> = { slate: MolotowSlate, roundResult: RoundResult };
