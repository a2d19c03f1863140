// Coiffeur: lines of a slate that each side plays once; otherwise as Schieber.
import { contracts } from "../contracts/contractUi";
import LinesSlate from "../contracts/LinesSlate.svelte";
import type { Display } from "../GameUi";

export const display: Partial<Display> = { ...contracts, slate: LinesSlate };
