// Synthesizes the notes of a cue with Web Audio. Loaded when the first sound is played.
import type { Cue } from "./cues";
import { CUE_NOTES, type Note } from "./cueNotes";

/** Seconds until a note is at its peak volume; without this ramp a speaker clicks. */
const ATTACK = 0.006;
const SILENCE = 0.0001;

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;

/** Plays a cue at a volume from 0 to 1, unless the browser does not allow sound yet. */
export function playCue(cue: Cue, volume: number): void {
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  const out = context.createGain();
  out.gain.value = volume;
  out.connect(context.destination);
  for (const stroke of CUE_NOTES[cue]) strike(context, out, stroke);
}

function strike(audio: AudioContext, out: AudioNode, stroke: Note): void {
  const begin = audio.currentTime + stroke.at;
  const end = begin + stroke.length;
  const envelope = audio.createGain();
  envelope.gain.setValueAtTime(SILENCE, begin);
  envelope.gain.exponentialRampToValueAtTime(stroke.gain, begin + ATTACK);
  envelope.gain.exponentialRampToValueAtTime(SILENCE, end);
  envelope.connect(out);
  const source = stroke.wave === "noise" ? hiss(audio, stroke, envelope) : tone(audio, stroke, envelope);
  source.start(begin);
  source.stop(end);
}

function tone(audio: AudioContext, stroke: Note, out: AudioNode): AudioScheduledSourceNode {
  const source = audio.createOscillator();
  source.type = stroke.wave as OscillatorType;
  glide(audio, source.frequency, stroke);
  source.connect(out);
  return source;
}

function hiss(audio: AudioContext, stroke: Note, out: AudioNode): AudioScheduledSourceNode {
  const source = audio.createBufferSource();
  source.buffer = noise ??= white(audio);
  const band = audio.createBiquadFilter();
  band.type = stroke.from > 1000 ? "bandpass" : "lowpass";
  glide(audio, band.frequency, stroke);
  source.connect(band).connect(out);
  return source;
}

function glide(audio: AudioContext, pitch: AudioParam, stroke: Note): void {
  const begin = audio.currentTime + stroke.at;
  pitch.setValueAtTime(stroke.from, begin);
  pitch.exponentialRampToValueAtTime(stroke.to ?? stroke.from, begin + stroke.length);
}

/** A second of white noise. */
function white(audio: AudioContext): AudioBuffer {
  const buffer = audio.createBuffer(1, audio.sampleRate, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
  return buffer;
}
