import { describe, expect, it } from "vitest";
import type { PlayedMatch } from "../../api/messages";
import { playerNamesOf, matchTeams, standingText } from "./matchPlayers";

const SCHIEBER: PlayedMatch = {
  table: "abc",
  match: 1,
  game: "schieber",
  ended: "2026-05-31T20:15:00+00:00",
  players: ["Anna", "Reto", "bot:club", "bot:club"],
  seat: 1,
  winners: [0, 2],
  sides: [
    [0, 2],
    [1, 3],
  ],
  standing: [1012, 874, 1012, 874],
  lost: null,
  decisions: null,
};

describe("playerNamesOf, matchTeams and standingText", () => {
  it("names players as at the table, computers by first names", () => {
    const [anna, reto, ...computers] = playerNamesOf(SCHIEBER);
    expect([anna, reto]).toEqual(["Anna", "Reto"]);
    expect(new Set(computers).size).toBe(2);
    for (const name of computers) expect(name).not.toContain("bot:");
  });

  it("keeps the names of computers that have swapped seats", () => {
    const [, , one, two] = playerNamesOf(SCHIEBER);
    expect(playerNamesOf({ ...SCHIEBER, characters: [0, 1, 3, 2] }).slice(2)).toEqual([two, one]);
  });

  it("lists the sides with their standing, the reader's own first", () => {
    const [own, other] = matchTeams(SCHIEBER);
    expect(own).toMatchObject({ standing: "874", won: false, own: true });
    expect(own?.names[0]).toBe("Reto");
    expect(other).toMatchObject({ standing: "1012", won: true, own: false });
  });

  it("counts strokes, keeps other texts, and is empty without a standing", () => {
    expect(standingText("||Ø|0")).toBe("3");
    expect(standingText("goat")).toBe("goat");
    expect(standingText(-3)).toBe("−3");
    expect(standingText(undefined)).toBe("");
  });
});
