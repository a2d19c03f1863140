import { beforeEach, describe, expect, it } from "vitest";
import type { EventInfo, RoomInfo, View } from "../../api/messages";
import { python } from "../../../scripts/python.mjs";
import { compareMatch, type PlayedMatch } from "./compareMatch";
import { SeenMatch } from "./seenMatch";

interface Step {
  event: EventInfo;
  view: View;
  phase: RoomInfo["phase"];
  packs: number;
}

interface Played {
  steps: Step[];
  record: Omit<PlayedMatch, "log"> & { log: [string | number, string][]; players: string[] };
}

const MATCHES = JSON.parse(python("web/scripts/seen_matches.py")) as Played[];
const named = MATCHES.map((match) => ({ ...match, name: nameOf(match) }));

function nameOf({ record }: Played): string {
  return `${record.game}, ${record.players.length} players`;
}

/** Random numbers below 1, the same each time. */
function chance(seed: number): () => number {
  let state = seed + 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const stateOf = ({ view, phase, packs }: Step, version: number): Parameters<SeenMatch["note"]>[1] => {
  const room = { number: 1, resumed: 0, phase, fair: { next_pack: packs + 1 }, seats: view.hand_sizes };
  return { version, view, room: room as unknown as RoomInfo };
};

/** What is seen of a match; events are missed, and the page reloads, as often as is said. */
function seen({ steps }: Played, missing = 0, random = chance(0)): SeenMatch {
  let match = new SeenMatch("table");
  let before: Parameters<SeenMatch["note"]>[0] = null;
  let whole = true;
  for (const [place, step] of steps.entries()) {
    const after = stateOf(step, place + 1);
    if (random() < missing) whole = false;
    else {
      match.note(before, after, whole ? step.event : null);
      if (random() < missing) match = new SeenMatch("table");
      [before, whole] = [after, true];
    }
  }
  return match;
}

const verdict = (match: SeenMatch, record: PlayedMatch): number | null => {
  const notes = match.of(1);
  if (!notes) throw new Error("nothing was noted");
  return compareMatch(notes, record);
};

beforeEach(() => sessionStorage.clear());

describe("SeenMatch", () => {
  it("keeps the notes of earlier matches, through a reload, until they are forgotten", () => {
    const { steps } = MATCHES[0] as Played;
    const match = seen(MATCHES[0] as Played);
    const next = stateOf(steps[0] as Step, steps.length + 1);
    match.note(null, { ...next, room: { ...next.room, number: 2 } }, (steps[0] as Step).event);
    const again = new SeenMatch("table");
    expect(again.of(1)?.notes.length).toBeGreaterThan(steps.length / 2);
    again.forget(1);
    expect(new SeenMatch("table").of(1)).toBeNull();
  });

  it("begins anew with what is not its own in the storage", () => {
    for (const text of ["", "{", "null", "[1]", '[{"number": 1, "version": 1}]', '{"number": 1}']) {
      sessionStorage.setItem("jasstisch.seen.table", text);
      expect(new SeenMatch("table").of(1)).toBeNull();
    }
  });
});

describe.each(named)("compareMatch: $name", (match) => {
  const { record, steps } = match;

  it("finds a match as it was seen in its record", () => {
    expect(steps.at(-1)?.phase).toBe("over");
    expect(verdict(seen(match), record)).toBeNull();
  });

  it("accuses nobody of what this page has missed", () => {
    for (let seed = 0; seed < 40; seed += 1) {
      const random = chance(seed);
      expect([seed, verdict(seen(match, random() ** 2, random), record)]).toEqual([seed, null]);
      sessionStorage.clear();
    }
  });

  it("finds every entry that is added, left out or another, and another result", () => {
    const notes = seen(match);
    for (const [place, [actor, text]] of record.log.entries()) {
      const before = record.log.slice(0, place);
      const after = record.log.slice(place + 1);
      const other = actor === "pack" ? null : ([Number(actor), `${text}?`] as [number, string]);
      // Of a hidden bid only its player knows more.
      const hidden = text.startsWith("bid ") && actor !== 0;
      const logs = [
        [...before, ...after],
        [...before, record.log[place], ...record.log.slice(place)],
        ...(other && !hidden ? [[...before, other, ...after]] : []),
      ];
      for (const log of logs) expect(verdict(notes, { ...record, log })).toBe(0);
    }
    expect(verdict(notes, { ...record, result: null })).toBe(0);
  });

  it("finds a pack in which a card of the reader's hand is exchanged with another seat's", () => {
    const notes = seen(match);
    // With Handjass a player may be out of the match already.
    const deals = steps.filter(
      ({ event, view }, place) =>
        event.kind === "pack" && steps[place - 1]?.view.phase === "deal" && view.hand?.length,
    );
    expect(deals.length).toBeGreaterThan(0);
    for (const { view, packs } of deals) {
      let pack = 0;
      const own = view.hand ?? [];
      const log = record.log.map(([actor, text]) => {
        if (actor !== "pack" || (pack += 1) !== packs) return [actor, text];
        const cards = text.split(" ");
        const theirs = cards.find((card) => !own.includes(card)) ?? "";
        const mine = cards.find((card) => own.includes(card)) ?? "";
        return ["pack", cards.map((card) => exchanged(card, mine, theirs)).join(" ")];
      });
      expect(verdict(notes, { ...record, log })).toBe(0);
    }
  });
});

const exchanged = (card: string, one: string, other: string): string =>
  card === one ? other : card === other ? one : card;
