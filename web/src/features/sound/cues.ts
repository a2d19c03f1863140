// Which sound cue belongs to which events. Pure.
import type { GameEvent } from "../play/events";

/** A sound of the table, by what it tells. */
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

/** From what must be heard to what may go under where several things happen at once. */
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
 * The cue of an event: one, the most telling, however much has happened with it.
 *
 * `seat` is the reader's; losers of a match hear the sound of a round's end, not a mocking one.
 */
export function cueOf(events: readonly GameEvent[], seat: number | null): Cue | null {
  const cues = events.flatMap((one) => {
    if (one.kind === "over") return seat === null || one.winners.includes(seat) ? "win" : "end";
    return CUE_OF_EVENT[one.kind] ?? [];
  });
  return CUES_BY_PRIORITY.find((cue) => cues.includes(cue)) ?? null;
}
