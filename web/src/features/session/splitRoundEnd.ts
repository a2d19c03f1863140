// Splits the trick that ends a round from its result: seats, trump and points stay as they were while it
// was played.
import type { TableState } from "../../table/tableState";
import type { GameEvent } from "../play/gameEvents";

interface Moment {
  state: TableState;
  events: GameEvent[];
  /** The trick that ends a round. */
  last?: boolean;
}

/** Events of the result, shown after the trick. */
const RESULT_KINDS: ReadonlySet<GameEvent["kind"]> = new Set(["round", "over"] as const);

/** Splits a moment that ends a round by a trick into two: the trick, and then the result. */
export function splitRoundEnd(before: TableState, moment: Moment): Moment[] {
  const { state, events } = moment;
  const ends = state.room.phase !== "playing" && events.some(({ kind }) => kind === "trick");
  if (!ends || !before.view || !state.view) return [moment];
  const view = {
    ...before.view,
    to_act: [],
    trick: [],
    hand: state.view.hand,
    hand_sizes: state.view.hand_sizes,
  };
  const room = { ...before.room, undo: null };
  const nothing = { turn: null, hint: null, undoable: false };
  const lying = { ...before, ...nothing, version: state.version, room, view };
  return [
    { state: lying, events: events.filter(({ kind }) => !RESULT_KINDS.has(kind)), last: true },
    { state, events: events.filter(({ kind }) => RESULT_KINDS.has(kind)) },
  ];
}
