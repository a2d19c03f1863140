import { beforeAll, describe, expect, it } from "vitest";
import { loadGameUi } from "../../games/loadGameUi";
import type { Room, SeatInfo, View } from "../../api/messages";
import type { TableState } from "../../table/tableState";
import { canSkipPause, canSkipToRoundEnd } from "./skipPauses";

const person = { kind: "person", away: false } as SeatInfo;
const computer = { kind: "computer", away: false } as SeatInfo;

function table(seats: SeatInfo[], to_act: number[], more: Partial<TableState> = {}): TableState {
  return {
    seat: 0,
    room: { game: "jass", phase: "playing", seats } as Room,
    view: { game: "jass", to_act } as unknown as View,
    hint: null,
    ...more,
  } as TableState;
}

describe("hurrying the computers", () => {
  const alone = [person, computer, computer, computer];

  it("is for who plays with computers alone, while they are to move", () => {
    expect(canSkipPause(table(alone, [2]))).toBe(true);
    expect(canSkipPause(table(alone, [0]))).toBe(false);
    expect(canSkipPause(table(alone, [0, 2]))).toBe(false);
    expect(canSkipPause(table(alone, []))).toBe(false);
  });

  it("is not for who watches", () => {
    expect(canSkipPause(table(alone, [2], { seat: null }))).toBe(false);
  });

  it("takes nothing from others who look on", () => {
    expect(canSkipPause(table([person, person, computer, computer], [2]))).toBe(false);
    const gone = { ...person, away: true };
    expect(canSkipPause(table([person, gone, computer, computer], [1]))).toBe(true);
    const program = { ...person, program: true };
    expect(canSkipPause(table([person, program, computer, computer], [2]))).toBe(true);
    expect(canSkipPause(table([person, program, computer, computer], [1]))).toBe(false);
  });

  it("waits for the reader to have read what the coach says", () => {
    const hint = { id: "jass.trump", values: {}, suggest: null, wait: true } as TableState["hint"];
    expect(canSkipPause(table(alone, [2], { hint }))).toBe(false);
  });

  it("has nothing to hurry between rounds", () => {
    const room = { game: "jass", phase: "between", seats: alone } as Room;
    expect(canSkipPause(table(alone, [], { room }))).toBe(false);
  });
});

describe("skipping to the end of a round", () => {
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

  it("is for people who have all dropped out", () => {
    const view = said("drop", "drop", "stay", "stay");
    expect(canSkipToRoundEnd(table(seats, [2], { view }))).toBe(true);
    expect(canSkipToRoundEnd(table(seats, [2], { view, seat: null }))).toBe(false);
  });

  it("is not for one while another still plays", () => {
    const view = said("drop", "stay", "stay", "stay");
    expect(canSkipToRoundEnd(table(seats, [2], { view }))).toBe(false);
  });
});
