// Schieber: a contract for two sides, Weis with the first card, the Z of each side on the slate.
import { contracts } from "../contracts/contracts";
import ZSlate from "../contracts/ZSlate.svelte";
import type { Display } from "../display";

export const display: Partial<Display> = { ...contracts, slate: ZSlate };
