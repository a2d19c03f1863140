// Differenzler: a number is bid before the cards, and the trump card is shown meanwhile.
import RoundTable from "../../components/RoundTable.svelte";
import type { Display } from "../display";
import Corner from "./Corner.svelte";
import Panels from "./Panels.svelte";

export const display: Partial<Display> = {
  corner: Corner,
  panels: Panels,
  verbs: ["bid"],
  round: RoundTable,
};
