import { beforeEach, describe, expect, it } from "vitest";
import type { EventInfo, IDoubtItView, RoomInfo, View } from "../../api/messages";
import { python } from "../../../scripts/python.mjs";
import { compareMatch, type Comparison, type PlayedMatch } from "./compareMatch";
import { SeenMatch } from "./seenMatch";
import { shownIn } from "../../games/shownActions";

interface Step {
  event: EventInfo;
  view: View;
  said: (string | null)[];
  phase: RoomInfo["phase"];
  next: number;
}

interface Played {
  name: string;
  steps: Step[];
  record: Omit<PlayedMatch, "log"> & { log: [string | number, string][]; players: string[] };
}

type State = Parameters<SeenMatch["note"]>[0];

const MATCHES = JSON.parse(python("web/scripts/seen_matches.py")) as Played[];

/** Random numbers below 1, the same each time. */
function chance(seed: number): () => number {
  let state = seed + 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const stateOf = ({ view, said, phase, next }: Step, version: number): State => {
  const { game, options } = view;
  const room = { number: 1, game, options, resumed: 0, phase, fair: { next_pack: next } };
  return { version, seat: 0, view, said, room: room as unknown as RoomInfo };
};

/** How often a state is missed, is that of a snapshot, and is the last one before a reload. */
interface Told {
  missing?: number;
  snapshots?: number;
  reloads?: number;
}

/** What is seen of a match. */
function seen({ steps }: Played, told: Told = {}, random = chance(0)): SeenMatch {
  const { missing = 0, snapshots = 0, reloads = 0 } = told;
  let match = new SeenMatch("table");
  let whole = true;
  for (const [place, step] of steps.entries()) {
    if (random() < missing) whole = false;
    else {
      match.note(stateOf(step, place + 1), whole && random() >= snapshots ? step.event : null);
      if (random() < reloads) match = new SeenMatch("table");
      whole = true;
    }
  }
  return match;
}

/** What is seen of some states, all by snapshots. */
function told(states: State[]): SeenMatch {
  const match = new SeenMatch("table");
  for (const state of states) match.note(state, null);
  return match;
}

function verdict(match: SeenMatch, record: PlayedMatch): Comparison {
  const notes = match.of(1);
  if (!notes) throw new Error("nothing was noted");
  return compareMatch(notes, record);
}

const WAYS: Record<string, Told> = {
  events: {},
  "snapshots in place of all events": { snapshots: 1 },
  "snapshots in place of some events": { snapshots: 0.5, reloads: 0.1 },
};
const ways = Object.entries(WAYS).map(([way, told]) => ({ way, told }));

beforeEach(() => sessionStorage.clear());

const SCHIEBER = MATCHES.find(({ record }) => record.game === "schieber") as Played;

/** The states of a match, with the events that led to them. */
const statesOf = ({ steps }: Played): { state: State; event: EventInfo }[] =>
  steps.map((step, place) => ({ state: stateOf(step, place + 1), event: step.event }));

/** A state with another view. */
const shows = (state: State, view: Partial<View>): State => ({
  ...state,
  view: { ...state.view, ...view } as View,
});

/** What is seen of a match after the states up to one, which is not the same as it was. */
function seenUntil(
  last: number,
  change: (state: State, event: EventInfo) => [State, EventInfo | null] = (...as) => as,
): SeenMatch {
  const match = new SeenMatch("table");
  for (const [place, { state, event }] of statesOf(SCHIEBER)
    .slice(0, last + 1)
    .entries()) {
    const [told, by] = place === last ? change(state, event) : [state, event];
    match.note(told, by);
  }
  return match;
}

/** The step after which so many cards have been played for good. */
const stepWith = (cards: number): number =>
  SCHIEBER.steps.findLastIndex(({ view }) => shownIn(view).length === cards);

/** The record of a match that ends once so many cards have been played. */
function recordWith(cards: number): PlayedMatch {
  const plays = [...SCHIEBER.record.log.entries()].filter(([, [, text]]) => text.startsWith("play "));
  const end = plays[cards - 1]?.[0] ?? 0;
  return { ...SCHIEBER.record, log: SCHIEBER.record.log.slice(0, end + 1), result: null };
}

/** The play of a card with Weis instead of without, or the other way round. */
const withWeis = (text: string): string => (text.endsWith(" weis") ? text.slice(0, -5) : `${text} weis`);

/** A claim with another card under it. */
const withOtherCard = (text: string): string =>
  text.replace(/lay (..)/, text.includes("2C") ? "lay 3H" : "lay 2C");

/** Whether in Differenzler trumps are drawn from the pack before one, and no hands are dealt from it. */
const isTrumpDrawn = ({ record }: Played, next: number): boolean =>
  record.game === "differenzler" && record.options.trump !== "bottom" && next > 2 && next % 2 === 0;

/** The place in a pack of the card turned up for trumps, or drawn; null if none is. */
function placeOfTrump(match: Played, { hand_sizes: sizes }: View, next: number): number | null {
  const { game, options } = match.record;
  if (game === "jass") return sizes.filter((size) => size > 0).length === 4 ? 35 : 27;
  if (game === "differenzler" && options.trump === "bottom") return 35;
  return isTrumpDrawn(match, next) ? 0 : null;
}

/** A pack with another card turned up for trumps, if one is. */
function withOtherTrump(match: Played, view: View, next: number, cards: string[]): string[] {
  const turned = cards[placeOfTrump(match, view, next) ?? -1];
  if (!turned) return cards;
  const other = cards.find((card) => card[1] !== turned[1] && !view.hand?.includes(card)) ?? "";
  return cards.map((card) => (card === turned ? other : card === other ? turned : card));
}

/** What a server can leave out of its views, or say there, so that nothing could be compared. */
const SILENCES: Record<string, (state: State) => State> = {
  "no dealer": (state) => shows(state, { dealer: null }),
  "no seat in the view": (state) => shows(state, { seat: null }),
  "no hand": (state) => shows(state, { hand: null }),
  "an empty hand": (state) => shows(state, { hand: [] }),
  "of more seats": (state) =>
    shows(state, { hand_sizes: [...(state.view as View).hand_sizes, ...Array<number>(60).fill(0)] }),
  "that packs are awaited": (state) => shows(state, { needs_pack: true }),
};

const LIES: Record<string, (state: State) => State> = {
  "another dealer": (state) => {
    const { dealer, hand_sizes: sizes } = state.view as View;
    return shows(state, { dealer: dealer === null ? null : (dealer + 1) % sizes.length });
  },
  "another result without the end": (state) =>
    shows(state, { over: false, standing: [], winners: [7] } as unknown as Partial<View>),
};

/** So many cards of a round have been played, the last eight without one that was taken back. */
const CALM = [...Array(27).keys()]
  .map((cards) => cards + 9)
  .find((cards) => {
    const last = SCHIEBER.steps.slice(stepWith(cards - 9), stepWith(cards) + 1);
    return !last.slice(1).some(({ event }) => event.kind === "undone");
  }) as number;

const stored = (): number => (sessionStorage.getItem("jasstisch.seen.table") ?? "").length;

describe("SeenMatch", () => {
  it("keeps the notes of earlier matches, through a reload, until they are forgotten", () => {
    const match = seen(SCHIEBER);
    const before = match.of(1);
    const next = stateOf(SCHIEBER.steps[0] as Step, SCHIEBER.steps.length + 1);
    match.note({ ...next, room: { ...next.room, number: 2 } }, SCHIEBER.steps[0]?.event ?? null);
    const again = new SeenMatch("table");
    expect(again.of(1)).toEqual(before);
    again.forget(1);
    expect(new SeenMatch("table").of(1)).toBeNull();
  });

  it("begins anew with what is not its own in the storage", () => {
    const texts = ["", "{", "null", "[1]", '[{"number": 1, "version": 1}]', '{"number": 1}'];
    for (const text of [...texts, '[{"number": 1, "version": 1, "notes": [["gap"]]}]']) {
      sessionStorage.setItem("jasstisch.seen.table", text);
      expect(new SeenMatch("table").of(1)).toBeNull();
    }
  });

  it("notes nothing of a match without verifiable deals", () => {
    const match = new SeenMatch("table");
    for (const { state, event } of statesOf(SCHIEBER))
      match.note({ ...state, room: { ...state.room, fair: null } }, event);
    expect(match.of(1)).toBeNull();
  });

  it("notes what is shown of a match that is said not to have begun", () => {
    const states = statesOf(SCHIEBER).map(({ state }) => state);
    const denied = states.map((state, place) => {
      return place % 3 === 1 ? { ...state, room: { ...state.room, number: 0 } } : state;
    });
    const notes = told(states).of(1);
    sessionStorage.clear();
    expect(told(denied).of(1)).toEqual(notes);
  });

  it("needs little space for a match, also if all of it comes by snapshots", () => {
    seen(SCHIEBER);
    const events = stored();
    sessionStorage.clear();
    seen(SCHIEBER, { snapshots: 1 });
    expect(stored()).toBeLessThan(2 * events);
    expect(stored()).toBeLessThan(32_000);
  });

  it("keeps what it has once a server has sent endless snapshots, and says that it has missed something", () => {
    const last = SCHIEBER.steps.length;
    const end = stateOf(SCHIEBER.steps.at(-1) as Step, last);
    const match = seen({ ...SCHIEBER, steps: SCHIEBER.steps.slice(0, -1) });
    for (let version = last; version < last + 4; version += 1) {
      const said = Array<string>(4).fill(`${version}`.padStart(60_000));
      match.note({ ...end, version, said }, null);
    }
    expect(stored()).toBeLessThan(220_000);
    expect(match.of(1)?.notes.length).toBeGreaterThan(10);
    expect(verdict(match, SCHIEBER.record)).not.toBe("same");
  });

  it("takes no more space for cards that are taken back and played again without end", () => {
    const [before, after] = [14, 15].map((cards) => SCHIEBER.steps[stepWith(cards)] as Step) as [Step, Step];
    const match = seenUntil(stepWith(15));
    const once = stored();
    for (let round = 0; round < 500; round += 1) {
      match.note(stateOf(before, 1_000 + 2 * round), null);
      match.note(stateOf(after, 1_001 + 2 * round), null);
    }
    expect(stored()).toBeLessThan(2 * once);
    expect(verdict(match, recordWith(15))).toBe("same");
  });

  it("finds another play in the view of an event that says the same as the record, or nothing, and of a snapshot", () => {
    const lie = (state: State): State => {
      const trick = (state.view?.trick ?? []).map(([seat, card]): [number, string] => [
        seat,
        card === "6C" ? "7C" : "6C",
      ]);
      return shows(state, { trick });
    };
    for (const kind of [null, "ready", "said", "acted", "undone"] as const) {
      sessionStorage.clear();
      const match = seenUntil(stepWith(3), (state, event) => [lie(state), kind && { ...event, kind }]);
      expect([kind, verdict(match, recordWith(3))]).toEqual([kind, "other"]);
    }
  });

  it("lets a person's last card be taken back, with those of computers after it, and no more", () => {
    const back = (cards: number, kind: EventInfo["kind"] | null): Comparison => {
      sessionStorage.clear();
      const match = seenUntil(stepWith(CALM));
      const earlier = SCHIEBER.steps[stepWith(CALM - cards)] as Step;
      match.note(stateOf(earlier, stepWith(CALM) + 2), kind && { ...earlier.event, kind });
      return verdict(match, recordWith(CALM - cards));
    };
    for (const kind of ["undone", null] as const) {
      expect([1, 7, 8].map((cards) => back(cards, kind))).toEqual(["same", "same", "other"]);
    }
    expect(back(1, "ready")).toBe("other");
  });

  it("lets no card be taken back before one that was, and says if it often missed how", () => {
    const walked = (missed: number): Comparison => {
      sessionStorage.clear();
      const match = seenUntil(stepWith(CALM));
      let version = stepWith(CALM) + 1;
      for (const cards of [1, 2, 3, 4])
        match.note(stateOf(SCHIEBER.steps[stepWith(CALM - cards)] as Step, (version += 1 + missed)), null);
      return verdict(match, recordWith(CALM - 4));
    };
    expect(walked(0)).toBe("other");
    expect(walked(1)).toBe("partly");
  });

  it("takes nothing back that was said, nor past a pack", () => {
    for (const cards of [0, 35]) {
      sessionStorage.clear();
      const match = seenUntil(stepWith(cards + 1));
      const earlier = statesOf(SCHIEBER)[stepWith(cards)]?.state as State;
      const said = earlier.said.map(() => null);
      match.note({ ...earlier, said, version: stepWith(cards + 1) + 2 }, null);
      expect(verdict(match, recordWith(cards))).toBe("other");
    }
  });

  it("finds a card of an earlier round that is another one later, as in the record", () => {
    const ended = SCHIEBER.steps.findIndex(({ view }) => shownIn(view).length === 36);
    const log = recordWith(36).log as [number, string][];
    // One of the others plays their last two cards in the other order, so that all still were dealt the same.
    const seat = log.at(-2)?.[0] === 0 ? log.at(-1)?.[0] : log.at(-2)?.[0];
    const [one = 0, other = 0] = [...log.keys()].filter((at) => log[at]?.[0] === seat).slice(-2);
    const [card = "", later = ""] = [one, other].map((at) => log[at]?.[1].slice(5));
    const swapped = (text: string): string =>
      text.replaceAll(card, "XX").replaceAll(later, card).replaceAll("XX", later);
    const lied = log.map(([actor, text], at): [number, string] => [actor, at >= one ? swapped(text) : text]);
    const rounds = JSON.parse(swapped(JSON.stringify(SCHIEBER.steps[ended]?.view.rounds))) as View["rounds"];
    const match = seenUntil(ended);
    const state = statesOf(SCHIEBER)[ended]?.state as State;
    match.note(shows({ ...state, version: ended + 3 }, { rounds } as Partial<View>), null);
    expect(verdict(match, { ...recordWith(36), log: lied })).toBe("other");
  });

  it("believes in a void round only where the match has them, and every card has followed suit", () => {
    const { record, ...match } = MATCHES.find(({ name }) =>
      name.startsWith("offenbach, 3 players, void"),
    ) as Played;
    const options = { ...record.options, no_trump: "plain" };
    expect(verdict(seen({ ...match, record }), { ...record, options })).toBe("other");
    const swapped = record.log.map(([actor, text]): [string | number, string] => [
      actor,
      text.replace(/^play (.)[CD]$/, (_, rank: string) => `play ${rank}${text.endsWith("C") ? "D" : "C"}`),
    ]);
    expect(verdict(seen({ ...match, record }), { ...record, log: swapped })).toBe("other");
    sessionStorage.clear();
    const early = new SeenMatch("table");
    const last = stepWith(20);
    for (const { state, event } of statesOf(SCHIEBER).slice(0, last + 1)) early.note(state, event);
    const waiting = statesOf(SCHIEBER).find(({ state }) => state.view?.phase === "deal")?.state as State;
    early.note({ ...waiting, version: last + 2 }, null);
    expect(verdict(early, recordWith(20))).toBe("other");
  });

  it("finds other trumps in the middle of a deal, and a card that was never dealt in a hand", () => {
    for (const match of MATCHES) {
      const { game } = match.record;
      const turned = ["differenzler", "jass"].includes(game);
      if (!turned && game === "i-doubt-it") continue;
      sessionStorage.clear();
      const states = statesOf(match);
      const packs = states.findIndex(
        ({ event }, at) => event.kind === "acted" && shownIn(states[at]?.state.view as View).length === 3,
      );
      const notes = new SeenMatch("table");
      for (const [at, { state, event }] of states.entries()) {
        const lie: Partial<View> = turned
          ? { trump: state.view?.trump === "C" ? "D" : "C" }
          : { hand: [...(state.view?.hand ?? []), "XX"] };
        notes.note(at === packs ? shows(state, lie) : state, event);
      }
      const undone = states[packs + 1]?.event.kind === "undone";
      if (!undone) expect([match.name, verdict(notes, match.record)]).toEqual([match.name, "other"]);
    }
  });

  it("keeps the cards that it has laid itself, also once it sees the table from another seat", () => {
    const doubt = MATCHES.find(({ record }) => record.players.length === 3 && record.game === "i-doubt-it");
    const { record, steps } = doubt as Played;
    const laid = steps.findIndex(({ event }) => event.seat === 0 && event.action?.startsWith("lay "));
    const match = new SeenMatch("table");
    for (const [place, step] of steps.slice(0, laid + 1).entries())
      match.note(stateOf(step, place + 1), step.event);
    const state = stateOf(steps[laid] as Step, laid + 2);
    const turns = (state.view as IDoubtItView).turns.map((turn) => ({ ...turn, laid: null }));
    match.note(shows(state, { turns, seat: 1, hand: null } as Partial<View>), null);
    const held = state.view?.hand?.[0];
    const own = record.log.findIndex(([actor, text]) => actor === 0 && text.startsWith("lay "));
    const log = record.log.map(([actor, text], at) => [
      actor,
      at === own ? text.replace(/lay (..)/, `lay ${held}`) : text,
    ]);
    expect(verdict(match, { ...record, log: log.slice(0, own + 1) })).toBe("other");
    expect(verdict(match, { ...record, log: record.log.slice(0, own + 1) })).toBe("same");
  });

  it("passes over earlier states of a spectator with a delay, and says that it has missed something", () => {
    const match = seen(SCHIEBER);
    const earlier = stateOf(SCHIEBER.steps[stepWith(3)] as Step, 20);
    match.note({ ...shows(earlier, { hand: null }), seat: null }, null);
    expect(verdict(match, SCHIEBER.record)).toBe("partly");
    match.note(earlier, null);
    expect(verdict(match, SCHIEBER.record)).toBe("other");
  });

  it("compares packs, actions and the result in a game that it does not know", () => {
    const record = { ...SCHIEBER.record, game: "another" };
    const steps = SCHIEBER.steps.map((step) => ({
      ...step,
      view: { ...step.view, game: "another" } as unknown as View,
    }));
    const another = { ...SCHIEBER, steps };
    expect(verdict(seen(another), record)).toBe("same");
    expect(verdict(new SeenMatch("table"), { ...record, result: null })).toBe("other");
    expect(verdict(new SeenMatch("table"), { ...record, log: record.log.slice(0, -1) })).toBe("other");
    sessionStorage.clear();
    sessionStorage.clear();
    const odd = new SeenMatch("table");
    for (const [place, { state, event }] of statesOf(another).entries())
      odd.note(place === stepWith(1) ? shows(state, { trick: [] }) : state, event);
    expect(verdict(odd, record)).toBe("partly");
  });
});

describe.each(MATCHES)("compareMatch: $name", (match) => {
  const { record, steps } = match;

  it.each(ways)("finds a match as it was seen by $way in its record", ({ told: how }) => {
    expect(steps.at(-1)?.phase).toBe("over");
    expect(verdict(seen(match, how), record)).toBe("same");
  });

  /** What is seen by events of a match whose states a server changes. */
  function lied(lie: (state: State) => State): SeenMatch {
    const notes = new SeenMatch("table");
    for (const { state, event } of statesOf(match)) notes.note(lie(state), event);
    return notes;
  }

  it.each(Object.entries(SILENCES))("finds other packs although the server tells %s", (_, silence) => {
    const first = record.log.findIndex(
      ([actor], at) => actor === "pack" && (at > 0 || record.options.dealer !== null),
    );
    const log = record.log.map(([actor, text], at): [string | number, string] => [
      actor,
      actor === "pack" && at >= first ? text.split(" ").reverse().join(" ") : text,
    ]);
    expect(verdict(lied(silence), { ...record, log })).toBe("other");
  });

  it.each(Object.entries(LIES))("finds %s, told in every state", (_, lie) => {
    expect(verdict(lied(lie), record)).toBe("other");
  });

  it("finds the record of another game, of other options, or with a pack dealt again", () => {
    const notes = seen(match);
    const options = { ...record.options, direction: "other" };
    const last = record.log.findLastIndex(([actor]) => actor === "pack");
    const log = record.log.toSpliced(last, 0, record.log[last] as [string, string]);
    for (const other of [{ game: "x" }, { options }, { log }])
      expect(verdict(notes, { ...record, ...other })).toBe("other");
  });

  it("accuses nobody of what this page has missed", () => {
    for (let seed = 0; seed < Math.min(40, 6_000 / steps.length); seed += 1) {
      const random = chance(seed);
      const told = { missing: random() ** 2, snapshots: random(), reloads: random() };
      expect([seed, verdict(seen(match, told, random), record)]).not.toEqual([seed, "other"]);
      sessionStorage.clear();
    }
  });

  it("says so if deals were missed, however little each state says", () => {
    const states = steps.flatMap((step, place) =>
      step.event.kind === "settled" || place === steps.length - 1 ? [stateOf(step, place + 1)] : [],
    );
    expect(verdict(told(states), record)).toBe("partly");
    sessionStorage.clear();
    expect(verdict(told(states.slice(0, -1)), record)).toBe("partly");
  });

  it.each(ways)("finds every entry that is added, left out or another, seen by $way", ({ told: how }) => {
    const notes = seen(match, how);
    for (const [place, [actor, text]] of record.log.entries()) {
      if (place % Math.ceil(record.log.length / (how.snapshots ? 30 : 200)) > 0) continue;
      const before = record.log.slice(0, place);
      const after = record.log.slice(place + 1);
      const other = actor === "pack" ? null : ([Number(actor), `${text}?`] as [number, string]);
      // Of a hidden bid only its player knows more.
      const hidden = text.startsWith("bid ") && actor !== 0;
      // What was announced is shown until the last card of a round.
      const isLast = typeof after[0]?.[0] !== "number";
      const logs = [
        [...before, ...after],
        [...before, record.log[place], ...record.log.slice(place)],
        ...(other && !hidden ? [[...before, other, ...after]] : []),
        ...(actor === 0 && text.startsWith("lay ")
          ? [[...before, [actor, withOtherCard(text)], ...after]]
          : []),
        ...(isLast || !text.startsWith("play ") ? [] : [[...before, [actor, withWeis(text)], ...after]]),
      ];
      for (const log of logs) expect([place, verdict(notes, { ...record, log })]).toEqual([place, "other"]);
    }
    expect(verdict(notes, { ...record, result: null })).toBe("other");
    const packs = record.log.filter(([actor]) => actor === "pack");
    expect(verdict(notes, { ...record, log: packs })).toBe("other");
  });

  it.each(ways)(
    "finds a pack that is reversed, or gives the reader another card, seen by $way",
    ({ told: how }) => {
      const notes = seen(match, how);
      const deals = steps.filter(({ event }) => event.kind === "pack");
      let found = 0;
      for (const { view, next } of deals) {
        const own = view.hand ?? [];
        const changed = (change: (cards: string[]) => string[]): PlayedMatch["log"] => {
          let pack = 0;
          return record.log.map(([actor, text]) =>
            actor === "pack" && (pack += 1) === next - 1
              ? ["pack", change(text.split(" ")).join(" ")]
              : [actor, text],
          );
        };
        // With Handjass a player may be out of the match already; and trump is drawn as a suit alone.
        if (own.length === 0 && next > 2) continue;
        if (next > 2) {
          const turned = changed((cards) => withOtherTrump(match, view, next, cards));
          const shown = placeOfTrump(match, view, next) !== null;
          expect([next, verdict(notes, { ...record, log: turned })]).toEqual([
            next,
            shown ? "other" : "same",
          ]);
        }
        if (isTrumpDrawn(match, next)) continue;
        const reversed = changed((cards) => cards.toReversed());
        expect([next, verdict(notes, { ...record, log: reversed })]).toEqual([next, "other"]);
        if (own.length === 0) continue;
        found += 1;
        const exchanged = changed((cards) => {
          const theirs = cards.find((card) => !own.includes(card)) ?? "";
          const mine = cards.find((card) => own.includes(card)) ?? "";
          return cards.map((card) => (card === mine ? theirs : card === theirs ? mine : card));
        });
        expect([next, verdict(notes, { ...record, log: exchanged })]).toEqual([next, "other"]);
      }
      expect(found).toBeGreaterThan(0);
    },
  );
});
