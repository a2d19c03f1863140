// Molotow: sticks and potatoes on the slate.
import RoundTable from "../../components/RoundTable.svelte";
import type { Display } from "../display";

export const display: Partial<Display> = { round: RoundTable };
