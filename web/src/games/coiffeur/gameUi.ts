// Coiffeur: lines of a slate that each side plays once; otherwise as Schieber.
import { contracts } from "../contracts/contractUi";
import LinesSlate from "../contracts/LinesSlate.svelte";
import type { GameUi } from "../GameUi";

export const gameUi: Partial<GameUi> = { ...contracts, slate: LinesSlate };
