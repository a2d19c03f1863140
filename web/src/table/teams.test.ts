import { beforeEach, describe, expect, it } from "vitest";
import type { RoomInfo } from "../api/messages";
import type { TableState } from "./tableState";
import { settings } from "../settings/settings.svelte";
import {
  swapRequesters,
  teamRelation,
  hasPartners,
  isPartner,
  partners,
  partnersAfterMove,
  partnersOf,
  teamName,
  teamIndex,
  teamsOf,
} from "./teams";
import { winnersSentence } from "../features/play/narration";

const pairs = {
  sides: [
    [0, 2],
    [1, 3],
  ],
} as RoomInfo;
const threes = {
  sides: [
    [0, 2, 4],
    [1, 3, 5],
  ],
} as RoomInfo;
const alone = { sides: [[0], [1], [2]] } as RoomInfo;

function table(seat: number | null, room: RoomInfo = pairs): TableState {
  const seats = ["Anna", "Reto", "Lea", "Urs"].map((name) => ({ kind: "person", name }));
  return { seat, room: { ...room, seats } as RoomInfo } as TableState;
}

beforeEach(() => {
  settings.locale = "en";
});

describe("teamsOf, teamRelation and teamName", () => {
  it("lists the reader's own side first", () => {
    expect(teamsOf(table(1))).toEqual([
      [1, 3],
      [0, 2],
    ]);
    expect(teamsOf(table(null))).toEqual([
      [0, 2],
      [1, 3],
    ]);
  });

  it("distinguishes partners from opponents", () => {
    expect([0, 1, 2, 3].map((seat) => teamRelation(table(3), seat))).toEqual([
      ...["theirs", "ours", "theirs", "ours"],
    ]);
    expect([0, 1, 2, 3].filter((seat) => isPartner(table(3), seat))).toEqual([1]);
    expect(partners(table(3), 0)).toEqual([0, 2]);
  });

  it("names the sides by their players for a spectator", () => {
    expect(teamName(table(0), [0, 2])).toBe("Us");
    expect(teamName(table(0), [1, 3])).toBe("Them");
    expect(teamName(table(null), [1, 3])).toBe("Reto and Urs");
    expect([0, 1].filter((seat) => isPartner(table(null), seat))).toEqual([]);
  });

  it("has no sides where everybody plays alone", () => {
    expect(teamsOf(table(0, alone))).toEqual([]);
    expect(teamRelation(table(0, alone), 0)).toBeNull();
    expect(partners(table(0, alone), 1)).toEqual([1]);
  });

  it("names all winners of a side in the sentence about winners", () => {
    expect(winnersSentence([0, 2], table(0))).toBe("You and Lea win!");
    expect(winnersSentence([0, 2], table(1))).toBe("Anna and Lea win");
    expect(winnersSentence([1, 3], table(null))).toBe("Reto and Urs win");
    expect(winnersSentence([0, 1, 2, 3], table(0))).toBe("A draw: all four win");
  });
});

describe("hasPartners, partnersOf and partnersAfterMove", () => {
  it("finds the partners on the same side, and none where all play alone", () => {
    expect([hasPartners(pairs), hasPartners(alone)]).toEqual([true, false]);
    expect([0, 1, 2, 3].map((seat) => partnersOf(pairs, seat))).toEqual([[2], [3], [0], [1]]);
    expect([0, 1, 2, 3].map((seat) => teamIndex(pairs, seat, null))).toEqual([0, 1, 0, 1]);
    expect([0, 1, 2, 3].map((seat) => teamIndex(pairs, seat, 3))).toEqual([1, 0, 1, 0]);
    expect(partnersOf(threes, 2)).toEqual([0, 4]);
    expect(partnersOf(alone, 1)).toEqual([]);
  });

  it("returns the partners at the new seat", () => {
    expect(partnersAfterMove(pairs, 1, 0)).toEqual([3]);
    expect(partnersAfterMove(pairs, 3, null)).toEqual([1]);
  });

  it("keeps the partners when two of them swap seats", () => {
    expect(partnersAfterMove(pairs, 2, 0)).toEqual([2]);
    expect(partnersAfterMove(threes, 2, 0)).toEqual([2, 4]);
  });
});

describe("swapRequesters", () => {
  it("lists every player who asks for the seat", () => {
    const seats = [{ asks: 1 }, { asks: null }, { asks: 1 }, { asks: 0 }] as RoomInfo["seats"];
    expect(swapRequesters({ ...pairs, seats }, 1)).toEqual([0, 2]);
    expect(swapRequesters({ ...pairs, seats }, 0)).toEqual([3]);
    expect(swapRequesters({ ...pairs, seats }, 2)).toEqual([]);
  });
});
