import { describe, expect, it } from "vitest";
import type { Meld, MolotovRun, RoomInfo, SeatInfo } from "../../api/messages";
import type { DoubtedTurn } from "../../games/i-doubt-it/model";
import type { Round } from "../../api/narrowGameView";
import { locales } from "../../i18n";
import { settings } from "../../settings/settings.svelte";
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
    options: {},
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

describe("eventSentence in every language", () => {
  const round = { tricks: [], points: [], marks: [] } as unknown as Round;
  const molotov = { seat: 0, points: 50 } as unknown as MolotovRun;
  const turn: DoubtedTurn = {
    ...{ seat: 0, drew: 0, drawn: null, rank: "J", count: 3, laid: ["JC", "JD", "7H"], passed: [] },
    ...{ doubter: 1, truth: false, taker: 0, taken: 3 },
  };
  const suit = "H";
  /** An event of every kind, each by the player on seat 0 where a player makes it. */
  const EVENTS: Record<GameEvent["kind"], GameEvent> = {
    dealt: { kind: "dealt", round: 1 },
    drawn: { kind: "drawn", draw: [], dealer: 0 },
    trump: { kind: "trump", suit, by: 0 },
    bid: { kind: "bid", seat: 0, bid: 28 },
    chose: { kind: "chose", seat: 0, action: "push" },
    played: { kind: "played", seat: 0, card: "JC" },
    trick: { kind: "trick", cards: [], winner: 0, points: null },
    molotov: { kind: "molotov", molotov },
    round: { kind: "round", number: 1, round },
    annulled: { kind: "annulled" },
    over: { kind: "over", winners: [0] },
    away: { kind: "away", seat: 0, by: null },
    back: { kind: "back", seat: 0 },
    admission: { kind: "admission", entry: "host" },
    starters: { kind: "starters", who: "all" },
    writing: { kind: "writing", allowed: true },
    published: { kind: "published", published: true },
    delayed: { kind: "delayed", delayed: true },
    relinked: { kind: "relinked" },
    asked: { kind: "asked", name: "Lea" },
    removed: { kind: "removed", seat: 0, name: "Anna" },
    given: { kind: "given", seat: 0, open: false },
    patience: { kind: "patience", seat: 0, patient: true },
    host: { kind: "host", seat: 0 },
    sat: { kind: "sat", seat: 0 },
    stood: { kind: "stood", seat: 0, name: "Anna" },
    offered: { kind: "offered", seat: 0, other: 1 },
    // Only the player who has asked hears that another one declines; all see the seats as before.
    declined: { kind: "declined", seat: 0, other: 1 },
    swapped: { kind: "swapped", seat: 0, other: 1 },
    rest_taken: { kind: "rest_taken", seat: 0 },
    undo_asked: { kind: "undo_asked", seat: 0 },
    undo_withdrawn: { kind: "undo_withdrawn", seat: 0 },
    undo_lapsed: { kind: "undo_lapsed", seat: 0 },
    undo_agreed: { kind: "undo_agreed", seat: 0, other: 1 },
    undo_declined: { kind: "undo_declined", seat: 0, other: 1 },
    undone: { kind: "undone", seat: 0 },
    said: { kind: "said", seat: 0, said: "stay" },
    robbed: { kind: "robbed", seat: 0, card: "JC" },
    alone: { kind: "alone", seat: 0 },
    safe: { kind: "safe", seat: 0 },
    weis: { kind: "weis", seat: 0, points: 20 },
    melds: { kind: "melds", seat: 0, melds: [{ points: 20, cards: ["6C", "7C", "8C"] }] as Meld[] },
    stoeck: { kind: "stoeck", seat: 0, points: 20 },
    drew: { kind: "drew", seat: 0, count: 2 },
    missed: { kind: "missed", seat: 0 },
    claimed: { kind: "claimed", seat: 0, rank: "J", count: 3 },
    passed: { kind: "passed", seat: 0 },
    accepted: { kind: "accepted", seat: 0 },
    revealed: { kind: "revealed", turn },
    taken: { kind: "taken", seat: 0, count: 3 },
  };
  /** What the reader has just done about seats, absence and undo with a button shows on that button's place. */
  const OWN_UNSAID = new Set([
    ...["away", "back", "sat", "stood", "offered", "declined"],
    ...["undo_asked", "undo_withdrawn", "undo_agreed", "undo_declined"],
  ]);
  const seats = [anna, reto, lea, person("Urs")] as const;

  it.each(locales)("has a sentence for every kind of event by another player (%s)", (locale) => {
    settings.locale = locale;
    const unsaid = Object.values(EVENTS).filter((event) => !told(event, lobby(1, ...seats)));
    expect(unsaid).toEqual([]);
  });

  it.each(locales)("says the reader's own actions, a bid too, unless a button shows them (%s)", (locale) => {
    settings.locale = locale;
    const unsaid = Object.values(EVENTS).filter((event) => !told(event, lobby(0, ...seats)));
    expect(new Set(unsaid.map(({ kind }) => kind))).toEqual(OWN_UNSAID);
  });

  it("says the number of a bid as far as the reader knows it", () => {
    const hidden: GameEvent = { kind: "bid", seat: 0, bid: null };
    expect(told(EVENTS.bid, lobby(0, ...seats))).toBe("You bid 28");
    expect(told(EVENTS.bid, lobby(1, ...seats))).toBe("Anna bids 28");
    expect(told(hidden, lobby(1, ...seats))).toBe("Anna has bid");
    expect(told(EVENTS.bid, lobby(0, { ...anna, away: true }, reto, lea, free))).toMatch(
      /^The computer.* 28$/,
    );
  });
});
