import { describe, expect, it } from "vitest";
import type { RoomInfo, View } from "../../api/messages";
import type { TableState } from "../../table/tableState";
import { splitRoundEnd } from "./splitRoundEnd";
import type { GameEvent } from "../play/gameEvents";

function state(phase: RoomInfo["phase"], view: object, version: number): TableState {
  return {
    version,
    room: { phase } as RoomInfo,
    view: view as View,
    turn: { legal: [] },
  } as unknown as TableState;
}

const played: GameEvent = { kind: "played", seat: 1, card: "8C" };
const trick: GameEvent = { kind: "trick", cards: [], winner: 1, points: null };
const round = { kind: "round", number: 1, round: {} } as GameEvent;
const before = state(
  "playing",
  { trump: "H", points: [3, 4], hand: ["8C"], trick: [[0, "7C"]], to_act: [1] },
  7,
);
const after = state("between", { trump: null, points: [0, 0], hand: [], hand_sizes: [0, 0], trick: [] }, 8);

describe("splitRoundEnd", () => {
  const [lying, end, ...others] = splitRoundEnd(before, { state: after, events: [played, trick, round] });

  it("shows the last trick on the previous table, before the result of the round", () => {
    expect(lying?.events).toEqual([played, trick]);
    expect(lying?.last).toBe(true);
    expect(lying?.state.room.phase).toBe("playing");
    expect(lying?.state.view).toMatchObject({ trump: "H", points: [3, 4] });
    expect(end).toEqual({ state: after, events: [round] });
    expect(others).toEqual([]);
  });

  it("clears the turn and the undo, and takes the played cards out of the hands", () => {
    expect(lying?.state.turn).toBeNull();
    expect(lying?.state).toMatchObject({ undoable: false, room: { undo: null } });
    expect(lying?.state.view).toMatchObject({ to_act: [], hand: [], hand_sizes: [0, 0] });
    expect(lying?.state.version).toBe(8);
  });

  it("leaves other tricks and void rounds unsplit", () => {
    const next = state("playing", { hand: [], trick: [] }, 8);
    for (const one of [
      { state: next, events: [played, trick] },
      { state: after, events: [{ kind: "annulled" } as GameEvent] },
    ]) {
      expect(splitRoundEnd(before, one)).toEqual([one]);
    }
  });
});
