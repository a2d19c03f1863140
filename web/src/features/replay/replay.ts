// A finished match as a list of table states: one before the first step, and one after each. Pure, and
// without rules: the server has sent the changes of view and hands for every step.
import type {
  AnalysedDecision,
  EventInfo,
  MatchAnalysis,
  Replay,
  RoomInfo,
  SeatInfo,
} from "../../api/messages";
import { applyEvent, presenceOf, type TableState } from "../../table/tableState";
import { eventsOf, type GameEvent } from "../play/gameEvents";

/** The table after a number of steps. */
export interface Moment {
  state: TableState;
  /** What every seat holds. */
  hands: readonly (readonly string[])[];
  /** The round it belongs to, from 1. */
  round: number;
  /** The event of the last step; null before the first. */
  happened: EventInfo | null;
  /** The game events of the last step. */
  events: readonly GameEvent[];
}

/** All moments of a match, in order. */
export function replayMoments(replay: Replay): Moment[] {
  const first = replay.steps[0]?.round ?? 1;
  const hands = replay.room.seats.map((): string[] => []);
  const moments: Moment[] = [{ state: before(replay), hands, round: first, happened: null, events: [] }];
  for (const step of replay.steps) {
    const last = moments.at(-1) as Moment;
    const message = {
      type: "event" as const,
      table: last.state.table,
      version: last.state.version + 1,
      event: step.event,
      room: {},
      set: step.set,
      last: step.last,
      append: step.append,
      turn: null,
      hint: null,
      undoable: false,
    };
    const folded = applyEvent(last.state, message);
    if (folded.kind !== "state") throw new Error("a step that does not follow");
    moments.push({
      state: folded.state,
      hands: last.hands.map((hand, seat) => step.hands[seat] ?? hand),
      round: step.round,
      happened: step.event,
      events: eventsOf(last.state, message, folded.state),
    });
  }
  return moments;
}

function before(replay: Replay): TableState {
  return {
    table: replay.room.table,
    version: 0,
    seat: replay.seat,
    room: calm(replay.room),
    view: replay.view,
    turn: null,
    hint: null,
    undoable: false,
    host: false,
    request: null,
    said: [],
    former: null,
    ...presenceOf(null),
  };
}

/** The room without time, connection and host settings. */
function calm(room: RoomInfo): RoomInfo {
  const seats = room.seats.map((one): SeatInfo => ({
    ...one,
    left: false,
    away: false,
    ready: false,
    asks: null,
    returning: false,
    patient: false,
  }));
  return {
    ...room,
    seats,
    phase: "playing",
    host: null,
    thinking_time: null,
    match_time: null,
    guided: false,
    hints: false,
  };
}

/** A round and the first of its moments. */
export interface ReplayRound {
  round: number;
  from: number;
}

/** The rounds of a match. */
export function replayRounds(moments: readonly Moment[]): ReplayRound[] {
  return moments.flatMap(({ round }, from) =>
    from > 0 && round === moments[from - 1]?.round ? [] : [{ round, from }],
  );
}

/**
 * The step that an address names, limited to `steps`, or the first step of the round that it names; 0 if
 * it names neither.
 */
export function initialStep(search: string, steps: number, parts: readonly ReplayRound[] = []): number {
  const named = (name: string): number | null => {
    const text = new URLSearchParams(search).get(name) ?? "";
    return /^\d{1,6}$/.test(text) ? Number(text) : null;
  };
  const round = named("round");
  const from = parts.find((one) => one.round === round)?.from;
  return Math.min(named("step") ?? from ?? 0, steps);
}

/** The step to which a key leads; null for other keys. */
export function stepForKey(key: string, step: number, steps: number): number | null {
  switch (key) {
    case "ArrowLeft":
      return Math.max(0, step - 1);
    case "ArrowRight":
      return Math.min(steps, step + 1);
    case "Home":
      return 0;
    case "End":
      return steps;
    default:
      return null;
  }
}

/** The analysis of the decision at this step, which is shown before the action is carried out. */
export function decisionAt(analysis: MatchAnalysis | null, step: number): AnalysedDecision | null {
  return analysis?.decisions.find((one) => one.step === step) ?? null;
}

/** The mistakes, the costliest first. */
export function worstDecisions(analysis: MatchAnalysis): AnalysedDecision[] {
  return analysis.dearest.flatMap((place) => analysis.decisions[place] ?? []);
}

/** A figure of an analysis in a language's notation, with a real minus sign. */
export function numberText(figure: number, digits: number, locale: string): string {
  const text = figure.toLocaleString(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return text.replace("-", "−");
}
