// What a game without a display of its own shows besides the default: every figure by its name, what its players
// have said, and the values that only it has.
import type { OwnUi } from "../GameUi";
import GenericRoundResult from "./GenericRoundResult.svelte";
import GenericSlate from "./GenericSlate.svelte";
import LastSaid from "./LastSaid.svelte";
import StatusBarWithSaid from "./StatusBarWithSaid.svelte";
import TrumpAndOwnValues from "./TrumpAndOwnValues.svelte";

export const gameUi: OwnUi = {
  slate: GenericSlate,
  roundResult: GenericRoundResult,
  trumpCorner: TrumpAndOwnValues,
  statusBarAndHand: StatusBarWithSaid,
  said: LastSaid,
};
