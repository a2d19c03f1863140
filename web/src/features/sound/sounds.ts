// Plays sounds and vibrates, as the settings say. Silent until the person has interacted with the page.
import { settings, type Volume } from "../../settings/settings.svelte";
import type { Cue } from "./cues";

const LOUDNESS: Record<Volume, number> = { off: 0, soft: 0.16, medium: 0.4, loud: 0.9 };

/** Milliseconds of vibration and of the pauses between. */
const VIBRATION_PATTERNS: Partial<Record<Cue, number[]>> = {
  turn: [35],
  bomb: [90, 40, 140],
  win: [40, 60, 40, 60, 120],
};

/** The minimum milliseconds between equal cues: a display that catches up shows many events at once. */
const MIN_REPEAT_MS = 60;

/** Whether this device can vibrate. */
export const canVibrate = "vibrate" in navigator && matchMedia("(pointer: coarse)").matches;

const last = new Map<Cue, number>();

/** Plays a cue as sound and vibration. */
export function playSound(cue: Cue): void {
  if (navigator.userActivation?.hasBeenActive === false) return;
  const at = performance.now();
  if (at - (last.get(cue) ?? -MIN_REPEAT_MS) < MIN_REPEAT_MS) return;
  last.set(cue, at);
  const volume = LOUDNESS[settings.volume];
  // If the synthesizer cannot be fetched there is no sound.
  if (volume > 0)
    void import("./synth").then(
      ({ playCue }) => playCue(cue, volume),
      () => undefined,
    );
  const felt = VIBRATION_PATTERNS[cue];
  if (felt && canVibrate && settings.vibration) navigator.vibrate(felt);
}
