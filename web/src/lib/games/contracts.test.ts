import { describe, expect, it } from "vitest";
import type { Round, Standing, Trick, View } from "../messages";
import {
  announced,
  askedNext,
  callsStoeck,
  contractOf,
  factorOf,
  hasFactors,
  lineOf,
  offers,
  pushed,
  slateLines,
  sumOfRound,
  wayOf,
  writtenLines,
} from "./contracts";

const SCHIEBER: View["options"] = { multipliers: "none", weis: "on", match_bonus: 100 };
const COIFFEUR: View["options"] = { lines: "eight", suits: "swiss", match_bonus: 100 };

function view(changes: Partial<View> = {}): View {
  return {
    game: "schieber",
    options: SCHIEBER,
    players: ["", "", "", ""],
    phase: "announce",
    dealer: 3,
    tricks: [],
    trick: [],
    contract: null,
    line: null,
    by: null,
    pushes: 0,
    standing: [0, 1, 0, 1].map((side): Standing => ({ side, points: 0 })),
    ...changes,
  } as View;
}

/** Coiffeur with these lines written by side 0 and side 1. */
function coiffeur(
  written: [Record<string, number>, Record<string, number>],
  changes: Partial<View> = {},
): View {
  const standing = [0, 1, 0, 1].map((side) => ({ side, points: 0, lines: written[side as 0 | 1] }));
  return view({ game: "coiffeur", options: COIFFEUR, standing, ...changes });
}

describe("an announcement", () => {
  it("names a suit, a way, how it begins, and a joker", () => {
    expect(contractOf("trump H")).toEqual({ kind: "trump", suit: "H", start: null, joker: null });
    expect(contractOf("tops")).toEqual({ kind: "tops", suit: null, start: null, joker: null });
    expect(contractOf("slalom bottoms")).toMatchObject({ kind: "slalom", start: "bottoms" });
    expect(contractOf("joker 7 trump S")).toMatchObject({ kind: "trump", suit: "S", joker: 7 });
    expect(contractOf("joker 8 bottoms")).toMatchObject({ kind: "bottoms", joker: 8 });
  });

  it("is none where something else is said", () => {
    for (const text of ["push", "trump X", "trump", "slalom", "play JC", ""]) {
      expect(contractOf(text)).toBeNull();
    }
  });

  it("plays a line of the slate", () => {
    expect(["trump H", "tops", "slalom tops", "guschti bottoms", "joker 7 tops"].map(lineOf)).toEqual(
      ["trump H", "tops", "slalom", "guschti", "joker 7"],
    );
  });

  it("is told with its joker, and not before it was made", () => {
    expect(announced(view())).toBeNull();
    expect(announced(view({ contract: "tops" }))).toBe("tops");
    expect(announced(view({ contract: "tops", line: "joker 7 tops" }))).toBe("joker 7 tops");
  });

  it("leaves a second step where a line has more than one", () => {
    const legal = ["trump C", "slalom tops", "slalom bottoms", "joker 8 tops", "joker 8 trump C", "push"];
    expect(offers(legal)).toEqual([
      { line: "trump C", actions: ["trump C"] },
      { line: "slalom", actions: ["slalom tops", "slalom bottoms"] },
      { line: "joker 8", actions: ["joker 8 tops", "joker 8 trump C"] },
    ]);
    expect(offers(["push"])).toEqual([]);
  });
});

describe("the slate of Coiffeur", () => {
  it("has eight or ten lines, the suits in the order of their factors", () => {
    expect(slateLines(COIFFEUR).map(({ text, factor }) => `${factor} ${text}`)).toEqual([
      ...["1 trump C", "2 trump H", "3 trump S", "4 trump D"],
      ...["5 tops", "6 bottoms", "7 joker 7", "8 joker 8"],
    ]);
    expect(
      slateLines({ lines: "ten", suits: "french" }).map(({ text, factor }) => `${factor} ${text}`),
    ).toEqual([
      ...["1 trump S", "2 trump C", "3 trump D", "4 trump H", "5 tops", "6 bottoms"],
      ...["7 slalom", "8 guschti", "9 joker 9", "10 joker 10"],
    ]);
    expect(slateLines(SCHIEBER)).toEqual([]);
  });

  it("shows what a side has written, a null for a line still open, a zero for a lost one", () => {
    const written = coiffeur([{ "trump C": 72, "joker 8": 0 }, {}]);
    expect(writtenLines(written, 2)).toEqual([72, null, null, null, null, null, null, 0]);
    expect(writtenLines(written, 1)).toEqual(Array(8).fill(null));
  });
});

describe("the factor", () => {
  it("is that of the line in Coiffeur, of a joker whatever it is", () => {
    expect(["trump C", "trump D", "bottoms", "joker 7 trump C"].map((one) => factorOf(one, COIFFEUR)))
      .toEqual([1, 4, 6, 7]);
    expect(factorOf("slalom tops", { lines: "ten", suits: "french" })).toBe(7);
  });

  it("follows the deck in Schieber, or is always one", () => {
    const factors = (multipliers: string): number[] =>
      ["trump C", "trump D", "trump H", "trump S", "tops", "slalom tops"].map((one) =>
        factorOf(one, { multipliers }),
      );
    expect(factors("none")).toEqual([1, 1, 1, 1, 1, 1]);
    expect(factors("swiss")).toEqual([1, 2, 1, 2, 3, 3]);
    expect(factors("french")).toEqual([2, 1, 1, 2, 3, 3]);
    expect([SCHIEBER, { multipliers: "swiss" }, COIFFEUR].map(hasFactors)).toEqual([false, true, true]);
  });
});

describe("who is asked", () => {
  it("is the partner after a push in Schieber", () => {
    expect(pushed(view())).toEqual([]);
    expect(askedNext(view(), 0)).toBe(2);
    expect(pushed(view({ dealer: 1, pushes: 1 }))).toEqual([2]);
  });

  it("goes round the table in Coiffeur, and comes back to the first with an open line", () => {
    const all = Object.fromEntries(slateLines(COIFFEUR).map(({ text }) => [text, 1]));
    expect(askedNext(coiffeur([{}, {}], { pushes: 1 }), 1)).toBe(2);
    expect(askedNext(coiffeur([{}, {}], { pushes: 3 }), 3)).toBe(0);
    expect(askedNext(coiffeur([all, {}], { pushes: 3 }), 3)).toBe(1);
    expect(pushed(coiffeur([{}, {}], { pushes: 4, dealer: 0 }))).toEqual([1, 2, 3, 0]);
  });
});

describe("a trick of a contract", () => {
  const ways = (text: string): string =>
    Array.from({ length: 9 }, (_, trick) => {
      const contract = contractOf(text);
      return (contract && wayOf(contract, trick))?.[0] ?? "-";
    }).join("");

  it("is played the way the contract has it", () => {
    expect(ways("trump H")).toBe("---------");
    expect(ways("tops")).toBe("ttttttttt");
    expect(ways("slalom tops")).toBe("tbtbtbtbt");
    expect(ways("guschti bottoms")).toBe("bbbbbtttt");
  });
});

describe("the Stöck", () => {
  const first: Trick = { leader: 3, cards: ["6H", "KH", "7H", "8H"], winner: 0 };
  const playing = { phase: "play", contract: "trump H", tricks: [first] };

  it("are called by the seat that has played the other of king and queen", () => {
    expect(callsStoeck(view(playing), 0, "QH")).toBe(true);
    expect(callsStoeck(view(playing), 1, "QH")).toBe(false);
    expect(callsStoeck(view(playing), 0, "JH")).toBe(false);
    expect(callsStoeck(view({ ...playing, tricks: [] }), 0, "QH")).toBe(false);
  });

  it("are not called without that trump, nor where they do not count", () => {
    expect(callsStoeck(view({ ...playing, contract: "trump S" }), 0, "QH")).toBe(false);
    expect(callsStoeck(view({ ...playing, contract: "tops" }), 0, "QH")).toBe(false);
    expect(callsStoeck(view({ ...playing, options: { ...SCHIEBER, weis: "off" } }), 0, "QH")).toBe(false);
    expect(callsStoeck(view({ ...playing, game: "coiffeur", options: COIFFEUR }), 0, "QH")).toBe(false);
  });
});

describe("the sum of a round", () => {
  const round = {
    points: [427, 0, 427, 0],
    weis: [150, 0, 150, 0],
    stoeck: [20, 0, 20, 0],
    match: 0,
    factor: 2,
    marks: ["854", "0", "854", "0"],
  } as Partial<Round> as Round;

  it("takes match, Weis and Stöck out of the points of a side", () => {
    expect(sumOfRound(round, 2, SCHIEBER)).toEqual({
      tricks: 157,
      match: 100,
      weis: 150,
      stoeck: 20,
      points: 427,
      written: 854,
    });
    expect(sumOfRound(round, 1, SCHIEBER)).toMatchObject({ tricks: 0, match: 0, written: 0 });
  });

  it("has no match where it brings nothing", () => {
    const plain = { ...round, points: [157, 0, 157, 0], weis: [0, 0, 0, 0], stoeck: [0, 0, 0, 0] };
    expect(sumOfRound(plain, 0, { ...SCHIEBER, match_bonus: 0 })).toMatchObject({ tricks: 157, match: 0 });
  });
});
