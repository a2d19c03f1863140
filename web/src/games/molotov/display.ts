// Molotov: strokes and sacks on the slate, and runs in a trick that cost points.
import RoundTable from "../../components/RoundTable.svelte";
import type { Display } from "../display";

export const display: Partial<Display> = { round: RoundTable };
