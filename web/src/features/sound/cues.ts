// Which sound cue belongs to which events. Pure.
import type { GameEvent } from "../play/gameEvents";

/** The sounds of the table, named by their meaning. */
export type Cue =
  "turn" | "card" | "trick" | "deal" | "trump" | "bomb" | "weis" | "stoeck" | "doubt" | "win" | "end";

const CUE_OF_EVENT: Partial<Record<GameEvent["kind"], Cue>> = {
  dealt: "deal",
  played: "card",
  claimed: "card",
  trick: "trick",
  taken: "trick",
  trump: "trump",
  chose: "trump",
  molotov: "bomb",
  weis: "weis",
  melds: "weis",
  stoeck: "stoeck",
  revealed: "doubt",
  round: "end",
};

/** The cues by priority: of several events at once only the first is heard. */
const CUES_BY_PRIORITY: readonly Cue[] = [
  "win",
  "bomb",
  "stoeck",
  "weis",
  "doubt",
  "trump",
  "end",
  "trick",
  "card",
  "deal",
];

/**
 * The cue of the most important of several events.
 *
 * `seat` is the reader's; losers of a match hear the neutral sound of a round's end.
 */
export function cueOf(events: readonly GameEvent[], seat: number | null): Cue | null {
  const cues = events.flatMap((one) => {
    if (one.kind === "over") return seat === null || one.winners.includes(seat) ? "win" : "end";
    return CUE_OF_EVENT[one.kind] ?? [];
  });
  return CUES_BY_PRIORITY.find((cue) => cues.includes(cue)) ?? null;
}
