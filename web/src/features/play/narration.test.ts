import { describe, expect, it } from "vitest";
import type { RoomInfo, SeatInfo } from "../../api/messages";
import type { TableState } from "../../table/tableState";
import type { GameEvent } from "./gameEvents";
import { seatChangeSentence, eventSentence } from "./narration";

const person = (name: string): SeatInfo => ({
  kind: "person",
  name,
  bot: null,
  left: false,
  away: false,
  ready: false,
  asks: null,
});
const free: SeatInfo = { ...person(""), kind: "open" };

function lobby(seat: number | null, ...seats: SeatInfo[]): TableState {
  const room = {
    phase: "open",
    sides: [
      [0, 2],
      [1, 3],
    ],
    seats,
  } as unknown as RoomInfo;
  return { room, seat } as TableState;
}

const [anna, reto, lea] = ["Anna", "Reto", "Lea"].map(person) as [SeatInfo, SeatInfo, SeatInfo];
const told = (events: GameEvent, state: TableState): string | null => eventSentence(events, state, "swiss");

describe("eventSentence for an undo", () => {
  const asked: GameEvent = { kind: "undo_asked", seat: 0 };
  const declined: GameEvent = { kind: "undo_declined", seat: 1, other: 0 };
  const undone: GameEvent = { kind: "undone", seat: 0 };

  it("reports requests and answers of others, but not the reader's own", () => {
    const room = [anna, reto, lea, free] as const;
    expect(told(asked, lobby(1, ...room))).toBe("Anna would like to take their last card back.");
    expect(told(asked, lobby(0, ...room))).toBeNull();
    expect(told(declined, lobby(0, ...room))).toBe("Reto does not agree: the card stays.");
    expect(told(declined, lobby(1, ...room))).toBeNull();
    expect(told({ kind: "undo_lapsed", seat: 0 }, lobby(0, ...room))).toBe(
      "Not everybody has answered: the card stays.",
    );
  });

  it("tells everybody that a card was taken back", () => {
    const room = [anna, reto, lea, free] as const;
    expect(told(undone, lobby(0, ...room))).toBe("You take your last card back.");
    expect(told(undone, lobby(null, ...room))).toBe("Anna takes their last card back.");
  });
});

describe("eventSentence for the rest of a round", () => {
  it("tells everybody who takes it", () => {
    const taken: GameEvent = { kind: "rest_taken", seat: 0 };
    expect(told(taken, lobby(1, anna, reto, lea, free))).toBe("Anna takes the rest.");
    expect(told(taken, lobby(null, anna, reto, lea, free))).toBe("Anna takes the rest.");
    expect(told(taken, lobby(0, anna, reto, lea, free))).toBe("You take the rest.");
  });
});

describe("eventSentence for seat swaps", () => {
  it("reports an offer to everybody but the player who made it", () => {
    const events: GameEvent = { kind: "offered", seat: 0, other: 1 };
    expect(told(events, lobby(2, anna, reto, lea, free))).toBe("Anna asks Reto to swap seats.");
    expect(told(events, lobby(null, anna, reto, lea, free))).toBe("Anna asks Reto to swap seats.");
    expect(told(events, lobby(1, anna, reto, lea, free))).toBe("Anna would like to swap seats with you.");
    expect(told(events, lobby(0, anna, reto, lea, free))).toBeNull();
  });

  it("reports a declined offer only to the player who made it", () => {
    const events: GameEvent = { kind: "declined", seat: 1, other: 0 };
    expect(told(events, lobby(0, anna, reto, lea, free))).toBe("Reto would rather not swap seats.");
    expect(told(events, lobby(2, anna, reto, lea, free))).toBeNull();
  });

  it("names both players of a swap, or the one player who moved to a free seat", () => {
    const swapped: GameEvent = { kind: "swapped", seat: 0, other: 1 };
    expect(told(swapped, lobby(2, reto, anna, lea, free))).toBe("Anna and Reto have swapped seats.");
    const moved: GameEvent = { kind: "swapped", seat: 0, other: 3 };
    expect(told(moved, lobby(1, free, reto, lea, anna))).toBe("Anna now sits on seat 4.");
  });
});

describe("seatChangeSentence", () => {
  it("names the new seat and the new partners", () => {
    const before = lobby(0, anna, reto, lea, free);
    expect(seatChangeSentence(before, lobby(3, free, reto, lea, anna))).toBe(
      "You now sit on seat 4. You play with Reto.",
    );
    expect(seatChangeSentence(before, lobby(1, reto, anna, lea, free))).toBe("You now sit on seat 2.");
  });

  it("returns null unless the reader moved to another seat before a match", () => {
    const seated = lobby(0, anna, reto, lea, free);
    const standing = lobby(null, free, reto, lea, free);
    expect(seatChangeSentence(null, seated)).toBeNull();
    expect(seatChangeSentence(standing, seated)).toBeNull();
    expect(seatChangeSentence(seated, standing)).toBeNull();
    expect(seatChangeSentence(seated, seated)).toBeNull();
    const playing = lobby(1, reto, anna, lea, free);
    expect(seatChangeSentence(seated, { ...playing, room: { ...playing.room, phase: "over" } })).toBeNull();
  });
});

describe("eventSentence while a bot plays for the reader", () => {
  const played: GameEvent = { kind: "played", seat: 0, card: "JC" };
  const chose: GameEvent = { kind: "chose", seat: 0, action: "push" };
  const away = lobby(0, { ...anna, away: true }, reto, lea, free);

  it("says that the computer acts, and not the reader", () => {
    expect(told(played, away)).toMatch(/^The computer plays .+ for you$/);
    expect(told(chose, away)).toMatch(/^The computer for you: /);
    expect(told(played, lobby(0, anna, reto, lea, free))).toMatch(/^You play /);
  });

  it("names the other player as usual", () => {
    expect(told({ ...played, seat: 1 }, away)).toMatch(/^Reto plays /);
  });
});
