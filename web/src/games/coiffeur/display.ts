// Coiffeur: lines of a slate that each side plays once; otherwise as Schieber.
import { contracts } from "../contracts/contracts";
import LinesSlate from "../contracts/LinesSlate.svelte";
import type { Display } from "../display";

export const display: Partial<Display> = { ...contracts, slate: LinesSlate };
