// The display of Coiffeur: like Schieber's, with lines on the slate that each team plays once.
import { contractUi } from "../contracts/contractUi";
import CoiffeurSlate from "../contracts/CoiffeurSlate.svelte";
import type { OwnUi } from "../GameUi";

export const gameUi: OwnUi = { ...contractUi, slate: CoiffeurSlate };
