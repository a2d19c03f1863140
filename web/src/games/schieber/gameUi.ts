// Schieber: a contract for two sides, Weis with the first card, the Z of each side on the slate.
import { contracts } from "../contracts/contractUi";
import ZSlate from "../contracts/ZSlate.svelte";
import type { GameUi } from "../GameUi";

export const gameUi: Partial<GameUi> = { ...contracts, slate: ZSlate };
