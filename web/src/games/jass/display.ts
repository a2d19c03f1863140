// Jass each for himself: stay or drop, the blind on the table, Weis, and those who only watch.
import { m } from "../../lib/i18n";
import { satOut, watches } from "../../lib/games/jass";
import { written } from "../../lib/slate/written";
import type { Display } from "../display";
import Past from "../weis/Past.svelte";
import Corner from "./Corner.svelte";
import Dock from "./Dock.svelte";
import Panels from "./Panels.svelte";
import Round from "./Round.svelte";
import Slate from "./Slate.svelte";
import Stocks from "./Stocks.svelte";

export const display: Partial<Display> = {
  corner: Corner,
  beside: Stocks,
  panels: Panels,
  verbs: ["stay", "drop", "blind", "rob"],
  dock: Dock,
  past: { title: m.last_trick, icon: "trick", small: false, body: Past },
  slate: Slate,
  round: Round,
  written: (view, index, seat) => {
    const one = written(view, index, seat);
    if (satOut(view, index, seat)) return { ...one, absent: true };
    return one.mark === "0" ? { ...one, sack: m.mark_null() } : one;
  },
  watches,
};
