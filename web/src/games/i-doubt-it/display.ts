// I Doubt It: claims instead of tricks, a hand by rank, chips on the slate.
import { m } from "../../lib/i18n";
import { written } from "../../lib/slate/written";
import type { Display } from "../display";
import DealTable from "./DealTable.svelte";
import Dock from "./Dock.svelte";
import Middle from "./Middle.svelte";
import Panels from "./Panels.svelte";
import Past from "./Past.svelte";
import Slate from "./Slate.svelte";

export const display: Partial<Display> = {
  middle: Middle,
  panels: Panels,
  verbs: ["lay", "doubt", "pass"],
  dock: Dock,
  past: { title: m.claim_log, icon: "list", small: true, body: Past },
  slate: Slate,
  round: DealTable,
  written: (view, index, seat) => ({ ...written(view, index, seat), points: "" }),
  pointsAtSeats: false,
};
