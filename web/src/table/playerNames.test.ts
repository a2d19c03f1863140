import { describe, expect, it } from "vitest";
import type { RoomInfo, SeatInfo } from "../api/messages";
import { botPersonas } from "./botPersonas";
import { requestName, seatNameWithKind, seatNames } from "./playerNames";

const seat = (changes: Partial<SeatInfo>): SeatInfo => ({
  kind: "computer",
  name: "bot:greedy",
  bot: "greedy",
  left: false,
  away: false,
  ready: false,
  asks: null,
  ...changes,
});

describe("seatNames, seatNameWithKind and requestName", () => {
  it("uses first names for computers, and a person's name for one that replaces them", () => {
    const room = {
      table: "a-table-of-the-tests",
      seats: [
        seat({ kind: "person", name: "Anna", bot: null }),
        seat({}),
        seat({ name: "Reto", left: true }),
        seat({}),
      ],
    } as RoomInfo;
    const [anna, one, reto, other] = seatNames(room);
    expect([anna, reto]).toEqual(["Anna", "Reto (computer)"]);
    expect([one, other]).toEqual([botPersonas(room)[1]?.name, botPersonas(room)[3]?.name]);
  });

  it("marks a program as such where no icon shows it", () => {
    const room = {
      table: "a-table-of-the-tests",
      seats: [
        seat({ kind: "person", name: "Anna", bot: null }),
        seat({ kind: "person", name: "low", bot: null, program: true }),
      ],
    } as RoomInfo;
    expect(room.seats.map((_, one) => seatNameWithKind(room, one))).toEqual(["Anna", "low (program)"]);
    const asks = { number: 1, seat: 2, name: "low" };
    expect(requestName(asks)).toBe("low");
    expect(requestName({ ...asks, program: true })).toBe("low (program)");
  });
});
