import { describe, expect, it } from "vitest";
import type { CoiffeurView, ContractRound, OtherView, SchieberView, Trick } from "../../api/messages";
import {
  announcedContract,
  announcedBy,
  contractInRound,
  nextToAnnounce,
  callsStoeck,
  parseContract,
  factorOf,
  hasFactors,
  hasPushed,
  lineOfAction,
  contractOffers,
  pushedSeats,
  slateLines,
  roundSum,
  teamTotal,
  rankDirection,
  scoresRound,
  lineScores,
} from "./model";

const SCHIEBER: SchieberView["options"] = { multipliers: "none", weis: "on", match_bonus: 100 };
const COIFFEUR: CoiffeurView["options"] = { lines: "eight", suits: "swiss", match_bonus: 100 };

const TABLE = {
  players: ["", "", "", ""],
  phase: "announce",
  dealer: 3,
  tricks: [],
  trick: [],
  contract: null,
  line: null,
  by: null,
  pushes: 0,
};

function view(changes: Partial<SchieberView> = {}): SchieberView {
  const standing = [0, 1, 0, 1].map((side) => ({ side, points: 0 }));
  return { ...TABLE, game: "schieber", options: SCHIEBER, standing, ...changes } as SchieberView;
}

/** Coiffeur with these lines written by side 0 and side 1. */
function coiffeur(
  written: [Record<string, number>, Record<string, number>] = [{}, {}],
  changes: Partial<CoiffeurView> = {},
): CoiffeurView {
  const standing = [0, 1, 0, 1].map((side) => ({ side, points: 0, lines: written[side as 0 | 1] }));
  return { ...TABLE, game: "coiffeur", options: COIFFEUR, standing, ...changes } as CoiffeurView;
}

const withTen = (suits: string): CoiffeurView =>
  coiffeur([{}, {}], { options: { ...COIFFEUR, lines: "ten", suits } });

describe("contract announcements", () => {
  it("parses the suit, the kind, the start and the joker", () => {
    expect(parseContract("trump H")).toEqual({ kind: "trump", suit: "H", start: null, joker: null });
    expect(parseContract("tops")).toEqual({ kind: "tops", suit: null, start: null, joker: null });
    expect(parseContract("slalom bottoms")).toMatchObject({ kind: "slalom", start: "bottoms" });
    expect(parseContract("joker 7 trump S")).toMatchObject({ kind: "trump", suit: "S", joker: 7 });
    expect(parseContract("joker 8 bottoms")).toMatchObject({ kind: "bottoms", joker: 8 });
  });

  it("returns null for text that is no announcement", () => {
    for (const text of ["push", "trump X", "trump", "slalom", "play JC", ""]) {
      expect(parseContract(text)).toBeNull();
    }
  });

  it("finds the slate line of an announcement", () => {
    expect(["trump H", "tops", "slalom tops", "guschti bottoms", "joker 7 tops"].map(lineOfAction)).toEqual([
      "trump H",
      "tops",
      "slalom",
      "guschti",
      "joker 7",
    ]);
  });

  it("returns the announced contract with its joker, and null before it is made", () => {
    expect(announcedContract(view())).toBeNull();
    expect(announcedContract(view({ contract: "tops" }))).toBe("tops");
    expect(announcedContract(coiffeur([{}, {}], { contract: "tops", line: "joker 7 tops" }))).toBe(
      "joker 7 tops",
    );
  });

  it("groups the announcements of one line into a second step", () => {
    const legal = ["trump C", "slalom tops", "slalom bottoms", "joker 8 tops", "joker 8 trump C", "push"];
    expect(contractOffers(legal)).toEqual([
      { line: "trump C", actions: ["trump C"] },
      { line: "slalom", actions: ["slalom tops", "slalom bottoms"] },
      { line: "joker 8", actions: ["joker 8 tops", "joker 8 trump C"] },
    ]);
    expect(contractOffers(["push"])).toEqual([]);
  });
});

describe("slateLines and lineScores in Coiffeur", () => {
  it("lists eight or ten lines, with suits in the order of their factors", () => {
    expect(slateLines(coiffeur()).map(({ text, factor }) => `${factor} ${text}`)).toEqual([
      ...["1 trump C", "2 trump H", "3 trump S", "4 trump D"],
      ...["5 tops", "6 bottoms", "7 joker 7", "8 joker 8"],
    ]);
    expect(slateLines(withTen("french")).map(({ text, factor }) => `${factor} ${text}`)).toEqual([
      ...["1 trump S", "2 trump C", "3 trump D", "4 trump H", "5 tops", "6 bottoms"],
      ...["7 slalom", "8 guschti", "9 joker 9", "10 joker 10"],
    ]);
    expect(slateLines(view())).toEqual([]);
  });

  it("returns a side's points by line, null for an open line and zero for a lost one", () => {
    const written = coiffeur([{ "trump C": 72, "joker 8": 0 }, {}]);
    expect(lineScores(written, 2)).toEqual([72, null, null, null, null, null, null, 0]);
    expect(lineScores(written, 1)).toEqual(Array(8).fill(null));
  });
});

describe("factorOf and hasFactors", () => {
  it("uses the factor of the line in Coiffeur, and of the joker line for any joker", () => {
    expect(
      ["trump C", "trump D", "bottoms", "joker 7 trump C"].map((one) => factorOf(one, coiffeur())),
    ).toEqual([1, 4, 6, 7]);
    expect(factorOf("slalom tops", withTen("french"))).toBe(7);
  });

  it("uses the factors of the deck in Schieber, or always one", () => {
    const table = (multipliers: string): SchieberView => view({ options: { ...SCHIEBER, multipliers } });
    const factors = (multipliers: string): number[] =>
      ["trump C", "trump D", "trump H", "trump S", "tops", "slalom tops"].map((one) =>
        factorOf(one, table(multipliers)),
      );
    expect(factors("none")).toEqual([1, 1, 1, 1, 1, 1]);
    expect(factors("swiss")).toEqual([1, 2, 1, 2, 3, 3]);
    expect(factors("french")).toEqual([2, 1, 1, 2, 3, 3]);
    expect([view(), table("swiss"), coiffeur()].map(hasFactors)).toEqual([false, true, true]);
  });
});

describe("nextToAnnounce and pushedSeats", () => {
  it("asks the partner after a push in Schieber", () => {
    expect(pushedSeats(view())).toEqual([]);
    expect(nextToAnnounce(view(), 0)).toBe(2);
    expect(pushedSeats(view({ dealer: 1, pushes: 1 }))).toEqual([2]);
  });

  it("goes round the table in Coiffeur and returns to the first player with an open line", () => {
    const all = Object.fromEntries(slateLines(coiffeur()).map(({ text }) => [text, 1]));
    expect(nextToAnnounce(coiffeur([{}, {}], { pushes: 1 }), 1)).toBe(2);
    expect(nextToAnnounce(coiffeur([{}, {}], { pushes: 3 }), 3)).toBe(0);
    expect(nextToAnnounce(coiffeur([all, {}], { pushes: 3 }), 3)).toBe(1);
    expect(pushedSeats(coiffeur([{}, {}], { pushes: 4, dealer: 0 }))).toEqual([1, 2, 3, 0]);
  });
});

describe("hasPushed, announcedBy and teamTotal", () => {
  const other = {
    ...{ game: "other game", phase: "announce", by: 2, pushes: 2, contract: "tops" },
  } as Partial<OtherView> as OtherView;

  it("reports a push until somebody announces", () => {
    const seats = [0, 1, 2, 3];
    expect(seats.filter((seat) => hasPushed(coiffeur([{}, {}], { pushes: 2 }), seat))).toEqual([0, 1]);
    expect(seats.filter((seat) => hasPushed(view({ phase: "play", pushes: 1 }), seat))).toEqual([]);
    expect(seats.filter((seat) => hasPushed(other, seat) || hasPushed(null, seat))).toEqual([]);
  });

  it("returns the contract a seat announced, for a joker the contract it stands for", () => {
    const joker = coiffeur([{}, {}], { by: 2, contract: "tops", line: "joker 7 tops" });
    expect([0, 1, 2, 3].map((seat) => announcedBy(joker, seat))).toEqual([null, null, "tops", null]);
    expect([announcedBy(view(), 2), announcedBy(other, 2), announcedBy(null, 2)]).toEqual([
      ...[null, null, null],
    ]);
  });

  it("returns the total of the seat's side in games that write one", () => {
    const standing = [0, 1, 0, 1].map((side) => ({ side, points: 300 + side }));
    expect([1, 2].map((seat) => teamTotal(view({ standing }), seat))).toEqual([301, 300]);
    expect([teamTotal({ ...other, standing }, 1), teamTotal(null, 1)]).toEqual([null, null]);
  });
});

describe("rankDirection", () => {
  const ways = (text: string): string =>
    Array.from({ length: 9 }, (_, trick) => {
      const contract = parseContract(text);
      return (contract && rankDirection(contract, trick))?.[0] ?? "-";
    }).join("");

  it("follows the contract from trick to trick", () => {
    expect(ways("trump H")).toBe("---------");
    expect(ways("tops")).toBe("ttttttttt");
    expect(ways("slalom tops")).toBe("tbtbtbtbt");
    expect(ways("guschti bottoms")).toBe("bbbbbtttt");
  });
});

describe("callsStoeck", () => {
  const first: Trick = { leader: 3, cards: ["6H", "KH", "7H", "8H"], winner: 0 };
  const playing = { phase: "play", contract: "trump H", tricks: [first] };

  it("is true if the seat has already played the other of king and queen of trump", () => {
    expect(callsStoeck(view(playing), 0, "QH")).toBe(true);
    expect(callsStoeck(view(playing), 1, "QH")).toBe(false);
    expect(callsStoeck(view(playing), 0, "JH")).toBe(false);
    expect(callsStoeck(view({ ...playing, tricks: [] }), 0, "QH")).toBe(false);
  });

  it("is false in other contracts and where Stöck do not count", () => {
    expect(callsStoeck(view({ ...playing, contract: "trump S" }), 0, "QH")).toBe(false);
    expect(callsStoeck(view({ ...playing, contract: "tops" }), 0, "QH")).toBe(false);
    expect(callsStoeck(view({ ...playing, options: { ...SCHIEBER, weis: "off" } }), 0, "QH")).toBe(false);
    expect(callsStoeck(coiffeur([{}, {}], playing), 0, "QH")).toBe(false);
  });
});

describe("contractInRound and scoresRound", () => {
  const finished = { contract: "tops", by: 1 } as ContractRound;

  it("returns what was announced, a joker with its number", () => {
    const rounds = [{ ...finished, line: "joker 7 tops" }];
    expect(contractInRound(view({ rounds: [finished] }), 0)).toBe("tops");
    expect(contractInRound(coiffeur([{}, {}], { rounds }), 0)).toBe("joker 7 tops");
    expect(contractInRound(view({ rounds: [] }), 0)).toBe("");
  });

  it("scores both sides in Schieber, but only the announcing side in Coiffeur", () => {
    const sides = [
      [0, 2],
      [1, 3],
    ];
    expect(sides.map((side) => scoresRound(view(), finished, side))).toEqual([true, true]);
    expect(sides.map((side) => scoresRound(coiffeur(), finished, side))).toEqual([false, true]);
  });
});

describe("roundSum", () => {
  const round = {
    points: [427, 0, 427, 0],
    weis: [150, 0, 150, 0],
    stoeck: [20, 0, 20, 0],
    match: 0,
    factor: 2,
    marks: ["854", "0", "854", "0"],
  } as Partial<ContractRound> as ContractRound;

  it("splits a side's points into tricks, match, Weis and Stöck", () => {
    expect(roundSum(round, 2, SCHIEBER)).toEqual({
      tricks: 157,
      match: 100,
      weis: 150,
      stoeck: 20,
      points: 427,
      written: 854,
    });
    expect(roundSum(round, 1, SCHIEBER)).toMatchObject({ tricks: 0, match: 0, written: 0 });
  });

  it("has no match bonus if the option is zero", () => {
    const plain = { ...round, points: [157, 0, 157, 0], weis: [0, 0, 0, 0], stoeck: [0, 0, 0, 0] };
    expect(roundSum(plain, 0, { ...SCHIEBER, match_bonus: 0 })).toMatchObject({ tricks: 157, match: 0 });
  });
});
