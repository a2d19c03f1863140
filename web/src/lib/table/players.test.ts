import { describe, expect, it } from "vitest";
import type { Room, SeatInfo } from "../messages";
import { seatNames } from "./players";

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

describe("how those at a table are called", () => {
  it("numbers computers, and calls one that plays for somebody who left by his name", () => {
    const room = {
      seats: [
        seat({ kind: "person", name: "Anna", bot: null }),
        seat({}),
        seat({ name: "Reto", left: true }),
        seat({}),
      ],
    } as Room;
    expect(seatNames(room)).toEqual(["Anna", "Computer 1", "Reto (computer)", "Computer 2"]);
  });
});
