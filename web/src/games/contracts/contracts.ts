// What Schieber and Coiffeur show alike: the contract and its factor, who announces, points by side.
import { m } from "../../lib/i18n";
import type { Display } from "../display";
import Dock from "../weis/Dock.svelte";
import Past from "../weis/Past.svelte";
import ContractRound from "./ContractRound.svelte";
import ContractRounds from "./ContractRounds.svelte";
import Corner from "./Corner.svelte";
import Panels from "./Panels.svelte";

export const contracts: Partial<Display> = {
  corner: Corner,
  panels: Panels,
  verbs: ["trump", "tops", "bottoms", "slalom", "guschti", "joker", "push"],
  dock: Dock,
  past: { title: m.last_trick, icon: "trick", small: true, body: Past },
  round: ContractRound,
  rounds: ContractRounds,
  pointsAtSeats: false,
};
