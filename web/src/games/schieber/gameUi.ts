// The display of Schieber: a contract for two teams, Weis with the first card, the Z of each team on the
// slate.
import { contractUi } from "../contracts/contractUi";
import ZSlate from "../contracts/ZSlate.svelte";
import type { OwnUi } from "../GameUi";

export const gameUi: OwnUi = { ...contractUi, slate: ZSlate };
