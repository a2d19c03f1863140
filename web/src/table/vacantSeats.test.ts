import { describe, expect, it } from "vitest";
import type { RoomInfo, SeatInfo } from "../api/messages";
import type { TableState } from "./tableState";
import { formerSeat, vacantSeats } from "./vacantSeats";

const person = { kind: "person", name: "Anna", left: false } as SeatInfo;
const substituted = { kind: "computer", name: "Reto", left: true } as SeatInfo;
const bot = { kind: "computer", name: "bot:greedy", left: false } as SeatInfo;
const open = { kind: "open", name: "", left: false } as SeatInfo;

function table(seats: SeatInfo[], more: Partial<TableState> = {}, room: Partial<RoomInfo> = {}): TableState {
  return {
    seat: null,
    former: null,
    kept: [],
    ...more,
    room: { phase: "playing", entry: "link", seats, ...room },
  } as TableState;
}

describe("vacantSeats", () => {
  it("offers open seats and those of people who have left, and tells which are kept", () => {
    const seen = table([person, substituted, bot, open], { kept: [false, true, false, false] });
    expect(vacantSeats(seen, true, false)).toEqual([
      { seat: 1, kept: true },
      { seat: 3, kept: false },
    ]);
  });

  it("offers who has asked already only what needs no asking", () => {
    const seen = table([person, substituted, bot, open], { kept: [false, true, false, false] });
    expect(vacantSeats(seen, true, true)).toEqual([{ seat: 3, kept: false }]);
    expect(vacantSeats(seen, false, true)).toEqual([]);
  });

  it("offers nothing where nobody is let in", () => {
    expect(vacantSeats(table([substituted], {}, { entry: "nobody" }), false, false)).toEqual([]);
  });

  it("offers who has played in this match only their own seat", () => {
    const seen = table([substituted, substituted], { former: 1 });
    expect(vacantSeats(seen, true, false)).toEqual([{ seat: 1, kept: false }]);
    const over = table([open, open], { former: 1 }, { phase: "over" });
    expect(vacantSeats(over, true, false)).toHaveLength(2);
  });
});

describe("formerSeat", () => {
  it("tells who has the seat that the reader has left", () => {
    expect(formerSeat(table([substituted], { former: 0 }))).toEqual({ seat: 0, holder: "kept" });
    expect(formerSeat(table([person], { former: 0 }))).toEqual({ seat: 0, holder: "person" });
    expect(formerSeat(table([bot], { former: 0 }))).toEqual({ seat: 0, holder: "bot" });
  });

  it("is null for seated people, newcomers, and after the match", () => {
    expect(formerSeat(table([substituted], { former: 0, seat: 1 }))).toBeNull();
    expect(formerSeat(table([substituted]))).toBeNull();
    expect(formerSeat(table([open], { former: 0 }, { phase: "over" }))).toBeNull();
  });
});
