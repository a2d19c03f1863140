import { describe, expect, it } from "vitest";
import type {
  Event,
  HandjassRound,
  HandjassStanding,
  HandjassView,
  Meld,
  RoomInfo,
  Trick,
  Turn,
  View,
} from "../../api/messages";
import type { TableState } from "../../table/tableState";
import { settings } from "../../settings/settings.svelte";
import { eventsOf } from "../../features/play/gameEvents";
import { eventSentence, winnersSentence } from "../../features/play/narration";
import { seatsInMatch, roleOf, robOption, stocks, isWatching } from "./model";
import { playersOfLastTrick, trickCards } from "../trickCards";
import { playAction, weisToAnnounce } from "../weis/melds";
import { splitMelds } from "../weis/events";
import { matchResultNote, stockText } from "./words";

const standing = (...safe: boolean[]): HandjassStanding[] =>
  safe.map((one) => ({ strokes: "", tallies: 0, nulls: 0, safe: one }));

function view(changes: Partial<HandjassView> = {}): HandjassView {
  return {
    game: "jass",
    phase: "play",
    round: 1,
    dealer: 3,
    draw: null,
    to_act: [0],
    trick: [],
    tricks: [],
    trump: "H",
    points: [0, 0, 0, 0],
    rounds: [],
    standing: standing(false, false, false, false),
    over: false,
    winners: [],
    playing: [0, 1, 2, 3],
    said: ["stay", "stay", "stay", "stay"],
    shown: "9H",
    turned: null,
    blind: null,
    blind_open: false,
    robbed: null,
    melds: [],
    announced: [],
    weis_shown: null,
    weis: [0, 0, 0, 0],
    stoeck: [0, 0, 0, 0],
    laid_away: [],
    ...changes,
  } as HandjassView;
}

function table(changes: Partial<HandjassView> = {}, seat: number | null = 0): TableState {
  const shown = view(changes);
  return {
    table: "a-table-of-the-tests",
    version: 1,
    seat,
    room: {
      sides: shown.standing.map((_, one) => [one]),
      phase: "playing",
      seats: ["Anna", "Reto", "Lea", "Urs"]
        .slice(0, shown.standing.length)
        .map((name) => ({ kind: "person", name })),
    } as RoomInfo,
    view: shown,
    turn: null,
    connected: [],
    preparing: [],
  } as unknown as TableState;
}

function acted(seat: number, action: string): Event {
  return { event: { kind: "acted", seat, action, by: "person", pack: null } } as Event;
}

const turn = (...legal: string[]): Turn => ({ legal, more: false, refused: {} });
const run: Meld = { cards: ["7D", "8D", "9D", "TD"], points: 50 };
const trick: Trick = { leader: 3, cards: ["7C", "8C"], winner: 3 };

describe("roleOf, seatsInMatch and isWatching", () => {
  it('is "asked" until the seat answers, then "plays", "dropped" or "blind"', () => {
    const asked = view({ phase: "answer", said: ["stay", "drop", "blind", null], playing: [0, 2, 3] });
    expect([0, 1, 2, 3].map((seat) => roleOf(asked, seat))).toEqual(["plays", "dropped", "blind", "asked"]);
  });

  it('is "plays" without an answer if all seats before have dropped', () => {
    const last = view({ said: ["drop", "drop", null, "stay"], playing: [2, 3] });
    expect(roleOf(last, 2)).toBe("plays");
  });

  it('is "safe" for the rest of the match, also between rounds', () => {
    const safe = { standing: standing(false, true, false, false) };
    expect(roleOf(view(safe), 1)).toBe("safe");
    expect(roleOf(view({ ...safe, playing: [] }), 1)).toBe("safe");
    expect(roleOf(view({ playing: [] }), 0)).toBeNull();
    expect(seatsInMatch(view(safe))).toEqual([0, 2, 3]);
  });

  it("treats only a player who has dropped or is safe as watching", () => {
    const asked = view({ said: ["drop", "stay", "stay", "stay"], playing: [1, 2, 3] });
    expect(isWatching(asked, 0)).toBe(true);
    expect(isWatching(asked, 1)).toBe(false);
    expect(isWatching(asked, null)).toBe(false);
    expect(isWatching({ game: "molotov", standing: [{}] } as unknown as View, 0)).toBe(false);
  });
});

describe("stocks and stockText", () => {
  it("returns the dealer's shown card with four players, until all have answered", () => {
    expect(stocks(view({ phase: "answer" }))).toEqual([{ kind: "shown", turned: "9H", seat: 3 }]);
    expect(stocks(view())).toEqual([]);
  });

  it("returns the blind under the turned card with three, then the hand laid away for it", () => {
    const three = { standing: standing(false, false, false), turned: "9H" };
    expect(stocks(view(three))).toEqual([{ kind: "blind", turned: "9H", seat: null }]);
    expect(stocks(view({ ...three, turned: null, blind: 1 }))).toEqual([
      { kind: "away", turned: null, seat: 1 },
    ]);
  });

  it("returns the blind and the dead hand with two, which keeps the turned card", () => {
    const two = { standing: standing(false, true, false), turned: "9H" };
    expect(stocks(view({ ...two, blind: 2 }))).toEqual([
      { kind: "away", turned: null, seat: 2 },
      { kind: "dead", turned: "9H", seat: null },
    ]);
    expect(stocks(view(two))[0]).toEqual({ kind: "blind", turned: null, seat: null });
  });

  it("returns nothing between rounds", () => {
    expect(stocks(view({ playing: [], shown: null }))).toEqual([]);
  });

  it("describes each stock, and names the owner of a hand laid away", () => {
    settings.locale = "en";
    const say = (index: number, changes: Partial<HandjassView>): string => {
      const state = table({ standing: standing(false, false), ...changes });
      const pile = stocks(state.view as HandjassView)[index];
      return pile ? stockText(pile, state, "french") : "";
    };
    expect(say(1, { turned: "9H" })).toBe("The dead hand, with the nine of hearts turned up on top");
    expect(say(0, { blind: 1 })).toBe("Laid away by Reto, face down");
    expect(say(0, { blind: 0 })).toBe("Laid away by you, face down");
  });
});

describe("playAction, weisToAnnounce and robOption", () => {
  it("announces the Weis only if the player wants to and may", () => {
    const legal = turn("play 7D", "play 8D", "play 7D weis", "play 8D weis");
    expect(playAction("play 7D", false, legal)).toBe("play 7D");
    expect(playAction("play 7D", true, legal)).toBe("play 7D weis");
    expect(playAction("play 7D", true, turn("play 7D"))).toBe("play 7D");
    expect(playAction("play 7D", true, null)).toBe("play 7D");
  });

  it("offers the best Weis while it may be announced", () => {
    const mine = view({ melds: [run] });
    expect(weisToAnnounce(turn("play 7D", "play 7D weis"), mine)).toEqual(run);
    expect(weisToAnnounce(turn("play 7D"), mine)).toBeNull();
    expect(weisToAnnounce(null, mine)).toBeNull();
  });

  it("offers to rob the turned card with the six of trumps", () => {
    const lies = view({ turned: "AH" });
    expect(robOption(turn("play 6H", "rob"), lies)).toEqual({ six: "6H", card: "AH" });
    expect(robOption(turn("play 6H"), lies)).toBeNull();
  });
});

describe("trickCards and playersOfLastTrick", () => {
  it("assigns each card to its seat, although others have dropped", () => {
    expect(trickCards(trick, [1, 3])).toEqual([
      [3, "7C"],
      [1, "8C"],
    ]);
    expect(trickCards({ leader: 1, cards: ["7C", "8C", "9C"], winner: 1 }, [0, 1, 2])).toEqual([
      [1, "7C"],
      [2, "8C"],
      [0, "9C"],
    ]);
  });

  it("takes the seats from the round to which the trick belongs", () => {
    const round = { playing: [0, 2], tricks: [trick] } as unknown as HandjassRound;
    expect(playersOfLastTrick(view({ last_trick: trick, playing: [1, 3] }))).toEqual([1, 3]);
    expect(playersOfLastTrick(view({ last_trick: null, playing: [], rounds: [round] }))).toEqual([0, 2]);
    expect(playersOfLastTrick({ standing: [{}, {}, {}], rounds: [] } as unknown as View)).toEqual([0, 1, 2]);
  });
});

describe("events and sentences of Handjass", () => {
  const asked = { phase: "answer", said: [null, null, null, null] } as const;
  const before = table({ ...asked, said: [...asked.said] });

  it("reports each answer", () => {
    for (const said of ["stay", "drop", "blind"] as const) {
      expect(eventsOf(before, acted(1, said), table())).toEqual([{ kind: "said", seat: 1, said }]);
    }
  });

  it("reports the robbed card", () => {
    const lies = table({ turned: "AH" });
    expect(eventsOf(lies, acted(2, "rob"), table({ turned: "6H", robbed: 2 }))).toEqual([
      { kind: "robbed", seat: 2, card: "AH" },
    ]);
  });

  it("reports the Weis with the card it was announced with", () => {
    const after = table({ trick: [[0, "7D"]], announced: [{ seat: 0, points: 50 }] });
    expect(eventsOf(table(), acted(0, "play 7D weis"), after)).toEqual([
      { kind: "played", seat: 0, card: "7D" },
      { kind: "weis", seat: 0, points: 50 },
    ]);
  });

  it("reports the melds after the first trick, in a moment of their own", () => {
    const after = table({ tricks: [trick], weis_shown: { seat: 3, melds: [run] } });
    const events = eventsOf(table({ trick: [[3, "7C"]] }), acted(1, "play 8C"), after);
    expect(events.map((one) => one.kind)).toEqual(["played", "trick", "melds"]);
    const moments = splitMelds({ events, state: after });
    expect(moments.map((one) => one.events.map(({ kind }) => kind))).toEqual([
      ["played", "trick"],
      ["melds"],
    ]);
    expect(splitMelds({ events: [] })).toEqual([{ events: [] }]);
    // Once shown they are not reported again.
    const later = eventsOf(after, acted(1, "play 9C"), after);
    expect(later.some((one) => one.kind === "melds")).toBe(false);
  });

  it("reports Stöck when they score, also with the last card of a round", () => {
    const stoeck = { kind: "stoeck", seat: 0, points: 20 };
    const scored = table({ trick: [[0, "QH"]], stoeck: [20, 0, 0, 0] });
    expect(eventsOf(table(), acted(0, "play QH"), scored)).toContainEqual(stoeck);
    const round = { tricks: [trick], stoeck: [20, 0, 0, 0], playing: [0, 1] } as unknown as HandjassRound;
    const last = eventsOf(table({ trick: [[1, "7H"]] }), acted(0, "play QH"), table({ rounds: [round] }));
    expect(last).toContainEqual(stoeck);
  });

  it("reports who is left alone and who has become safe", () => {
    const round = { tricks: [], playing: [2], points: [0, 0, 0, 0], marks: [] } as unknown as HandjassRound;
    const after = table({ rounds: [round], standing: standing(false, false, true, false) });
    expect(eventsOf(before, acted(1, "drop"), after)).toEqual([
      { kind: "said", seat: 1, said: "drop" },
      { kind: "round", number: 1, round },
      { kind: "alone", seat: 2 },
      { kind: "safe", seat: 2 },
    ]);
    expect(eventsOf(after, acted(1, "stay"), after).map(({ kind }) => kind)).toEqual(["said"]);
  });

  it("has a sentence for each event", () => {
    settings.locale = "en";
    const say = (events: Parameters<typeof eventSentence>[0], seat: number | null = 0) =>
      eventSentence(events, table({}, seat), "french");
    expect(say({ kind: "said", seat: 1, said: "blind" })).toBe("Reto takes the blind");
    expect(say({ kind: "said", seat: 0, said: "drop" })).toBe("You drop");
    expect(say({ kind: "robbed", seat: 1, card: "AH" })).toBe("Reto robs the ace of hearts with the six");
    expect(say({ kind: "weis", seat: 1, points: 50 })).toBe("Reto announces Weis: 50");
    expect(say({ kind: "melds", seat: 1, melds: [run] })).toBe(
      "Reto shows Weis: +50. 50: seven of diamonds, eight of diamonds, nine of diamonds, and ten of diamonds",
    );
    expect(say({ kind: "alone", seat: 0 })).toContain("you write two strokes without play");
    expect(say({ kind: "safe", seat: 3 })).toBe("Urs is safe");
  });
});

describe("winnersSentence and matchResultNote", () => {
  it("names the loser and the winners from the reader's point of view", () => {
    settings.locale = "en";
    const end = (seat: number | null, winners: number[]): [string, string] => {
      const state = table({}, seat);
      return [winnersSentence(winners, state), matchResultNote(winners, state)];
    };
    expect(end(0, [0, 1, 3])).toEqual(["You are safe and win!", "Lea is the last one left and loses"]);
    expect(end(2, [0, 1, 3])).toEqual([
      "You are the last one left and lose",
      "Safe and winners: Anna, Reto, and Urs",
    ]);
    expect(end(null, [0, 1, 3])[0]).toBe("Lea is the last one left and loses");
    expect(end(0, [0, 1, 2, 3])).toEqual(["Nobody is left: all win!", ""]);
  });
});
