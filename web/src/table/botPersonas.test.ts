import { describe, expect, it } from "vitest";
import { AVATARS, parseAvatar } from "../settings/avatars";
import { initialOf } from "../features/seats/initials";
import type { RoomInfo, SeatInfo } from "../api/messages";
import type { TableState } from "./tableState";
import { hashText } from "../browser/hashText";
import { botPersonas } from "./botPersonas";
import { botRemarks } from "../features/chat/botChatter";
import type { GameEvent } from "../features/play/gameEvents";

const computer: SeatInfo = {
  kind: "computer",
  name: "bot:club",
  bot: "club",
  left: false,
  away: false,
  ready: false,
  asks: null,
};
const person = (name: string): SeatInfo => ({ ...computer, kind: "person", name, bot: null });
const names = (room: Pick<RoomInfo, "table" | "seats">) => botPersonas(room).map((one) => one?.name ?? null);
const TABLES = Array.from({ length: 60 }, (_, index) => `a-table-of-the-tests-${index}`);

describe("botPersonas", () => {
  it("derives names and faces from table and seat alone", () => {
    const seats = [person("Anna"), computer, computer, computer];
    const [table] = TABLES as [string];
    expect(names({ table, seats })).toEqual(names({ table, seats: [...seats] }));
    const fewer = [person("Anna"), computer, person("Reto"), computer];
    expect(names({ table, seats: fewer })[3]).toBe(names({ table, seats })[3]);
    expect(new Set(TABLES.map((one) => names({ table: one, seats })[1])).size).toBeGreaterThan(12);
  });

  it("never repeats a name, nor the name of a person at the table", () => {
    for (const table of TABLES) {
      const all = names({ table, seats: Array.from({ length: 16 }, () => computer) });
      expect(new Set(all).size).toBe(16);
      const [first, second] = all as [string, string];
      const taken = names({
        table,
        seats: [computer, computer, person(first.toUpperCase()), person(`${second} 2`), computer],
      });
      expect(taken[0]).not.toBe(first);
      expect(taken[1]).not.toBe(second);
      expect(new Set([taken[0], taken[1], taken[4]]).size).toBe(3);
    }
  });

  it("keeps name and face after a seat swap, also next to a person of the same name", () => {
    for (const table of TABLES) {
      const numbered = [0, 1, 2, 3].map((character) => ({ ...computer, character }));
      const like = person(names({ table, seats: numbered })[2] ?? "");
      for (const guest of [person("Anna"), like]) {
        const [, one, two, three] = numbered as [SeatInfo, SeatInfo, SeatInfo, SeatInfo];
        const before = botPersonas({ table, seats: [guest, one, two, three] });
        const after = botPersonas({ table, seats: [two, three, guest, one] });
        expect(after).toEqual([before[2], before[3], null, before[1]]);
      }
    }
  });

  it("returns null for a computer that plays for a person who left", () => {
    const left = { ...computer, name: "Reto", left: true };
    expect(names({ table: "a-table", seats: [left, computer] })[0]).toBeNull();
  });

  it("uses faces that can be drawn and that no person can choose", () => {
    const all = new Set<string>();
    for (const table of TABLES) {
      for (const one of botPersonas({ table, seats: [computer, computer, computer] })) {
        if (one) all.add(one.face);
      }
    }
    expect(all.size).toBe(24);
    expect(new Set([...all, ...AVATARS]).size).toBe(48);
    for (const face of [...all, ...AVATARS]) expect(parseAvatar(face).skin).toMatch(/^#/);
  });
});

describe("initialOf", () => {
  it("returns the first visible character in upper case", () => {
    expect(initialOf(" änna")).toBe("Ä");
    expect(initialOf("👩‍👩‍👧 x")).toBe("👩‍👩‍👧");
    expect(initialOf("")).toBe("?");
  });
});

describe("botRemarks", () => {
  const table = (seat: number | null, seats: SeatInfo[], id = "a-table"): TableState =>
    ({
      seat,
      room: { table: id, seats, number: 1, sides: seats.map((_, one) => [one]) },
      view: { game: "molotov", rounds: [], tricks: [] },
    }) as unknown as TableState;
  const seats = [person("Anna"), computer, computer, computer];
  const dealt: GameEvent = { kind: "dealt", round: 1 };

  it("has one computer greet at the first deal, the same one for every reader", () => {
    const said = [0, 2, null].map((seat) => botRemarks([dealt], table(seat, seats)));
    expect(said[0]).toHaveLength(1);
    expect(said[0]?.[0]?.phrase).toBe("hello");
    expect([1, 2, 3]).toContain(said[0]?.[0]?.seat);
    expect(said[1]).toEqual(said[0]);
    expect(said[2]).toEqual(said[0]);
    expect(botRemarks([{ kind: "dealt", round: 2 }], table(0, seats))).toEqual([]);
  });

  it("praises a winner, and has a computer say thanks after beating only people", () => {
    const over = (...winners: number[]): GameEvent[] => [{ kind: "over", winners }];
    expect(botRemarks(over(0), table(0, seats))[0]?.phrase).toBe("well_played");
    const two = [person("Anna"), computer];
    expect(botRemarks(over(1), table(0, two))).toEqual([{ seat: 1, phrase: "thanks" }]);
    expect(botRemarks(over(0), table(0, [person("Anna"), person("Reto")]))).toEqual([]);
  });

  it("is rare for events that are frequent", () => {
    const hit = (id: string) =>
      botRemarks(
        [{ kind: "molotov", molotov: { seat: 1, points: 50, cards: [] } } as unknown as GameEvent],
        table(0, seats, id),
      );
    const said = TABLES.map(hit).filter((one) => one.length > 0);
    expect(said.length).toBeGreaterThan(8);
    expect(said.length).toBeLessThan(35);
    expect(said.every(([one]) => one?.seat === 1 && one.phrase === "oops")).toBe(true);
  });

  it("is empty for a played card", () => {
    for (const id of TABLES) {
      expect(botRemarks([{ kind: "played", seat: 1, card: "JC" }], table(0, seats, id))).toEqual([]);
    }
  });

  it("depends on a hash that is the same everywhere", () => {
    expect(hashText("Jass")).toBe(hashText("Jass"));
    expect(hashText("")).toBe(0x811c9dc5);
  });
});
