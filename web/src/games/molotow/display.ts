// Molotow: sticks and potatoes on the slate.
import type { Display } from "../display";
import Round from "./Round.svelte";
import Slate from "./Slate.svelte";

export const display: Partial<Display> = { slate: Slate, round: Round };
