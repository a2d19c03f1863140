import { beforeAll, describe, expect, it } from "vitest";
import { loadGameUi } from "../../games/loadGameUi";
import type { RoomInfo, SeatInfo, View } from "../../api/messages";
import type { TableState } from "../../table/tableState";
import { canSkipPause, canSkipToRoundEnd } from "./skipPauses";

const person = { kind: "person", away: false } as SeatInfo;
const computer = { kind: "computer", away: false } as SeatInfo;

function table(seats: SeatInfo[], to_act: number[], more: Partial<TableState> = {}): TableState {
  return {
    seat: 0,
    room: { game: "jass", phase: "playing", seats } as RoomInfo,
    view: { game: "jass", to_act } as unknown as View,
    hint: null,
    ...more,
  } as TableState;
}

describe("canSkipPause", () => {
  const alone = [person, computer, computer, computer];

  it("is true for a reader alone with computers while only these are on turn", () => {
    expect(canSkipPause(table(alone, [2]))).toBe(true);
    expect(canSkipPause(table(alone, [0]))).toBe(false);
    expect(canSkipPause(table(alone, [0, 2]))).toBe(false);
    expect(canSkipPause(table(alone, []))).toBe(false);
  });

  it("is false for spectators", () => {
    expect(canSkipPause(table(alone, [2], { seat: null }))).toBe(false);
  });

  it("is false with other people at the table, unless they are away or programs", () => {
    expect(canSkipPause(table([person, person, computer, computer], [2]))).toBe(false);
    const gone = { ...person, away: true };
    expect(canSkipPause(table([person, gone, computer, computer], [1]))).toBe(true);
    const program = { ...person, program: true };
    expect(canSkipPause(table([person, program, computer, computer], [2]))).toBe(true);
    expect(canSkipPause(table([person, program, computer, computer], [1]))).toBe(false);
  });

  it("is false while the coach waits for the reader", () => {
    const hint = { id: "jass.trump", values: {}, suggest: null, wait: true } as TableState["hint"];
    expect(canSkipPause(table(alone, [2], { hint }))).toBe(false);
  });

  it("is false between rounds", () => {
    const room = { game: "jass", phase: "between", seats: alone } as RoomInfo;
    expect(canSkipPause(table(alone, [], { room }))).toBe(false);
  });
});

describe("canSkipToRoundEnd", () => {
  beforeAll(() => loadGameUi("jass"));

  const seats = [person, person, computer, computer];
  const said = (...answers: (string | null)[]): View =>
    ({
      game: "jass",
      phase: "play",
      to_act: [2],
      playing: answers.flatMap((one, seat) => (one === "drop" ? [] : [seat])),
      said: answers,
      standing: answers.map(() => ({ safe: false })),
    }) as unknown as View;

  it("is true for a player once all people have dropped out", () => {
    const view = said("drop", "drop", "stay", "stay");
    expect(canSkipToRoundEnd(table(seats, [2], { view }))).toBe(true);
    expect(canSkipToRoundEnd(table(seats, [2], { view, seat: null }))).toBe(false);
  });

  it("is false while another person still plays", () => {
    const view = said("drop", "stay", "stay", "stay");
    expect(canSkipToRoundEnd(table(seats, [2], { view }))).toBe(false);
  });
});
