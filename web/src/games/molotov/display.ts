// Molotov: strokes and sacks on the slate, and runs in a trick that cost points.
import { m } from "../../lib/i18n";
import { written } from "../../lib/slate/written";
import type { Display } from "../display";
import Round from "./Round.svelte";
import Slate from "./Slate.svelte";

export const display: Partial<Display> = {
  slate: Slate,
  round: Round,
  written: (view, index, seat) => {
    const one = written(view, index, seat);
    return one.mark === "0" ? { ...one, sack: m.mark_sack() } : one;
  },
};
