// Jass each for himself: stay or drop, the blind on the table, Weis, and those who only watch.
import { m } from "../../lib/i18n";
import RoundTable from "../../components/RoundTable.svelte";
import { watches } from "../../lib/games/jass";
import type { Display } from "../display";
import Past from "../weis/Past.svelte";
import Corner from "./Corner.svelte";
import Dock from "./Dock.svelte";
import Panels from "./Panels.svelte";
import Stocks from "./Stocks.svelte";

export const display: Partial<Display> = {
  corner: Corner,
  beside: Stocks,
  panels: Panels,
  verbs: ["stay", "drop", "blind", "rob"],
  dock: Dock,
  past: { title: m.last_trick, icon: "trick", small: false, body: Past },
  round: RoundTable,
  watches,
};
