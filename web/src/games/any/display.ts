// What a game shows that says nothing else: a trick, a hand of cards, every figure by its name.
import { m } from "../../lib/i18n";
import AllRounds from "../../components/AllRounds.svelte";
import PlainRound from "../../components/PlainRound.svelte";
import { written } from "../../lib/slate/written";
import type { Display } from "../display";
import Corner from "./Corner.svelte";
import Dock from "./Dock.svelte";
import Past from "./Past.svelte";
import Slate from "./Slate.svelte";

export const any: Display = {
  corner: Corner,
  middle: null,
  beside: null,
  panels: null,
  verbs: [],
  dock: Dock,
  past: { title: m.last_trick, icon: "trick", small: false, body: Past },
  slate: Slate,
  round: PlainRound,
  rounds: AllRounds,
  written,
  listed: () => "",
  pointsAtSeats: true,
  watches: () => false,
};

export const display = any;
