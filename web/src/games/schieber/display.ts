// Schieber: contracts are chosen as in any game; Weis goes with the first card.
import { m } from "../../lib/i18n";
import type { Display } from "../display";
import Dock from "../weis/Dock.svelte";
import First from "../weis/First.svelte";
import Past from "../weis/Past.svelte";

export const display: Partial<Display> = {
  panels: First,
  dock: Dock,
  past: { title: m.last_trick, icon: "trick", small: false, body: Past },
};
