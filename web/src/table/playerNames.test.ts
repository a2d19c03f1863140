import { describe, expect, it } from "vitest";
import type { RoomInfo, SeatInfo } from "../api/messages";
import { botPersonas } from "./botPersonas";
import { m } from "../i18n";
import { requestName, seatNameWithKind, seatNames } from "./playerNames";
import { reader } from "./readerSeat.svelte";

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

  it("addresses readers who have chosen no name, and only them", () => {
    const guest = seat({ kind: "person", name: m.player_word(), bot: null });
    const room = { table: "a-table-of-the-tests", seats: [guest, guest] } as RoomInfo;
    reader.seat = 1;
    expect(seatNames(room)).toEqual([m.player_word(), m.player_you()]);
    reader.seat = null;
    expect(seatNames(room)).toEqual([m.player_word(), m.player_word()]);
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
