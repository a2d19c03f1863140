// Molotow: sticks and potatoes on the slate.
import type { Display } from "../GameUi";
import RoundResult from "./RoundResult.svelte";
import MolotowSlate from "./MolotowSlate.svelte";

export const display: Partial<Display> = { slate: MolotowSlate, round: RoundResult };
