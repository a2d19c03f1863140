// Schieber: a contract for two sides, Weis with the first card, the Z of each side on the slate.
import { contracts } from "../contracts/contractUi";
import ZSlate from "../contracts/ZSlate.svelte";
import type { Display } from "../GameUi";

export const display: Partial<Display> = { ...contracts, slate: ZSlate };
