// The sounds as a few notes of tone and noise each: no recordings, nothing to fetch.
import type { Cue } from "./cues";

/** One note; times in seconds from the beginning of the cue, pitches in hertz. */
export interface Note {
  /** The waveform, or band-pass filtered noise. */
  wave: "sine" | "triangle" | "noise";
  at: number;
  length: number;
  from: number;
  /** The pitch, or the centre of the band, at the end; unchanged by default. */
  to?: number;
  /** The peak volume, at most 1. */
  gain: number;
}

const C5 = 523.3;
const D5 = 587.3;
const E5 = 659.3;
const G5 = 784;
const A5 = 880;
const C6 = 1046.5;

const pluck = (at: number, from: number, gain = 0.3, length = 0.28): Note => {
  return { wave: "triangle", at, length, from, gain };
};

/** A card that falls on cloth: the edge, and the table under it. */
const card = (at: number, gain = 1): Note[] => [
  { wave: "noise", at, length: 0.05, from: 2600, to: 1100, gain: 0.55 * gain },
  { wave: "sine", at, length: 0.07, from: 150, to: 90, gain: 0.4 * gain },
];

export const CUE_NOTES: Record<Cue, readonly Note[]> = {
  card: card(0),
  deal: [0, 0.07, 0.14, 0.21].flatMap((at) => card(at, 0.5)),
  trick: [{ wave: "noise", at: 0, length: 0.24, from: 700, to: 2200, gain: 0.35 }, ...card(0.2, 0.4)],
  turn: [pluck(0, E5), pluck(0.11, A5, 0.34, 0.4)],
  trump: [pluck(0, G5, 0.3, 0.5), { wave: "sine", at: 0, length: 0.6, from: C6, gain: 0.12 }],
  weis: [pluck(0, C5), pluck(0.09, E5), pluck(0.18, G5, 0.32, 0.4)],
  stoeck: [pluck(0, G5), pluck(0.12, G5), pluck(0.24, C6, 0.34, 0.45)],
  doubt: [{ wave: "noise", at: 0, length: 0.13, from: 900, to: 3000, gain: 0.4 }, pluck(0.14, D5, 0.3, 0.35)],
  bomb: [
    { wave: "noise", at: 0, length: 0.9, from: 900, to: 90, gain: 0.9 },
    { wave: "sine", at: 0, length: 0.8, from: 95, to: 32, gain: 0.9 },
  ],
  end: [pluck(0, E5, 0.26, 0.4), pluck(0.16, C5, 0.26, 0.6)],
  win: [
    pluck(0, C5),
    pluck(0.13, E5),
    pluck(0.26, G5),
    pluck(0.39, C6, 0.36, 0.9),
    pluck(0.39, E5, 0.2, 0.9),
  ],
};
