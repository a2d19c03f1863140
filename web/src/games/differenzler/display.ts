// Differenzler: a number is bid before the cards, and the trump card is shown meanwhile.
import { bidIn } from "../../lib/games/bids";
import { m } from "../../lib/i18n";
import { written } from "../../lib/slate/written";
import type { Display } from "../display";
import Corner from "./Corner.svelte";
import Panels from "./Panels.svelte";
import Round from "./Round.svelte";
import Slate from "./Slate.svelte";

export const display: Partial<Display> = {
  corner: Corner,
  panels: Panels,
  verbs: ["bid"],
  slate: Slate,
  round: Round,
  written: (view, index, seat) => {
    const one = written(view, index, seat);
    return { ...one, points: `${one.points}/${bidIn(view, index, seat) ?? ""}` };
  },
  listed: m.all_rounds_bids,
};
