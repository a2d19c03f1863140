import { beforeEach, describe, expect, it } from "vitest";
import { RANKS } from "../../cards/cards";
import { locales, m, type Locale } from "../../i18n";
import type { LayTurn, RoomInfo, IDoubtItRound, SeatInfo } from "../../api/messages";
import type { TableState } from "../../table/tableState";
import { settings } from "../../settings/settings.svelte";
import type { DoubtEvent } from "./model";
import {
  claimText,
  claimSentence,
  doubtEventSentence,
  dealResultSentence,
  feeSentence,
  laySentence,
  outcomeSentences,
} from "./words";

const person = (name: string): SeatInfo => ({
  kind: "person",
  name,
  bot: null,
  left: false,
  away: false,
  ready: false,
  asks: null,
});
const seats = ["Anna", "Reto", "Bea"].map(person);
const table = {
  seat: 0,
  room: { seats, options: {} } as unknown as RoomInfo,
  view: null,
} as unknown as TableState;

const SAYS: Record<Locale, [string, string]> = {
  de: ["Reto behauptet drei Buben", "Du legst drei Karten und behauptest drei Buben."],
  fr: ["Reto déclare trois valets", "Vous posez trois cartes et déclarez trois valets."],
  it: ["Reto dichiara tre fanti", "Cali tre carte e dichiari tre fanti."],
  en: ["Reto claims three jacks", "You lay three cards and claim three jacks."],
};

describe.each(locales)("sentences of I Doubt It in %s", (locale) => {
  beforeEach(() => {
    settings.locale = locale;
  });

  it("names the claimed cards", () => {
    expect(claimSentence({ seat: 1, rank: "J", count: 3 }, table)).toBe(SAYS[locale][0]);
    expect(laySentence("J", 3)).toBe(SAYS[locale][1]);
  });

  it("has a distinct text for one, two and three of every rank", () => {
    for (const count of [1, 2, 3]) {
      expect(new Set(RANKS.map((rank) => claimText(rank, count))).size).toBe(RANKS.length);
    }
    expect(new Set([1, 2, 3].map((count) => claimText("K", count))).size).toBe(3);
    expect(new Set([1, 2, 3].map((count) => laySentence("K", count))).size).toBe(3);
  });

  it("uses different complete sentences for the reader and for others", () => {
    const events: ((seat: number) => DoubtEvent)[] = [
      (seat) => ({ kind: "claimed", seat, rank: "9", count: 3 }),
      (seat) => ({ kind: "passed", seat }),
      (seat) => ({ kind: "taken", seat, count: 9 }),
      (seat) => ({ kind: "taken", seat, count: 1 }),
      (seat) => ({ kind: "drew", seat, count: 2 }),
      (seat) => ({ kind: "drew", seat, count: 1 }),
      (seat) => ({ kind: "missed", seat }),
    ];
    for (const of of events) {
      const mine = doubtEventSentence(of(0), table);
      const theirs = doubtEventSentence(of(1), table);
      expect(theirs).toContain("Reto");
      expect(mine).not.toContain("Anna");
      for (const text of [mine, theirs]) expect(text).toMatch(/\w\.$/u);
    }
  });

  it("describes a doubt: who doubts, which cards, and whether the claim was true", () => {
    const turn = {
      seat: 1,
      drew: 0,
      drawn: null,
      rank: "J" as const,
      count: 3,
      laid: ["JC", "4S", "7D"],
      passed: [],
      doubter: 2,
      truth: false,
      taker: 1,
      taken: 9,
    };
    const text = doubtEventSentence({ kind: "revealed", turn }, table);
    expect(text).toContain("Bea");
    expect(text).toContain(m.verdict_lie());
    for (const rank of [m.rank_french_j(), m.rank_4(), m.rank_7()]) expect(text).toContain(rank);
    expect(outcomeSentences(turn, table).join(" ")).toContain("9");
    const passed = { ...turn, doubter: null, truth: null, taker: null, laid: null };
    expect(outcomeSentences({ ...passed, passed: [2] }, table)).toEqual([]);
    expect(outcomeSentences({ ...passed, passed: [2, 0] }, table)).toEqual([m.nobody_doubts()]);
  });

  it("mentions the fee of a caught liar only if the option is on (ID9)", () => {
    const withFee = (seat: number | null, fee: number): TableState => {
      return { ...table, seat, room: { ...table.room, options: { lie_fee: fee } } };
    };
    const lie = { seat: 1, doubter: 0, truth: false } as LayTurn;
    const told = [0, 1, null].map((seat) => feeSentence(lie, withFee(seat, 1)));
    expect(new Set(told).size).toBe(3);
    expect(told[2]).toContain("Reto");
    expect(told[2]).toContain("Anna");
    expect(feeSentence({ ...lie, truth: true }, withFee(0, 1))).toBeNull();
    expect(feeSentence(lie, withFee(0, 0))).toBeNull();
  });

  it("gives the reason why a deal has ended", () => {
    const round = { left: [4, 0, 9], claims: 17 } as unknown as IDoubtItRound;
    expect(dealResultSentence(round, table)).toContain("Reto");
    expect(dealResultSentence({ ...round, left: [0, 3, 9] }, table)).toBe(m.deal_ended_you());
    expect(dealResultSentence({ ...round, left: [4, 2, 9] }, table)).toContain("17");
  });
});
