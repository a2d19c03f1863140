import { describe, expect, it } from "vitest";
import type { TableState } from "../../table/tableState";
import { isNewTurn } from "./turnText";

const asked = (...legal: string[]): TableState =>
  ({ turn: { legal, more: false, refused: {} } }) as unknown as TableState;
const waiting = { turn: null } as TableState;

describe("isNewTurn", () => {
  it("is true if the reader was not on turn before, or with other legal actions", () => {
    expect(isNewTurn(null, asked("play JC"))).toBe(true);
    expect(isNewTurn(waiting, asked("play JC"))).toBe(true);
    expect(isNewTurn(asked("play JC", "play 6H"), asked("play 6H"))).toBe(true);
  });

  it("is false if the legal actions are the same, as when only others have bid", () => {
    expect(isNewTurn(asked("bid 0", "bid 1"), asked("bid 0", "bid 1"))).toBe(false);
  });

  it("is false while others are on turn", () => {
    expect(isNewTurn(asked("play JC"), waiting)).toBe(false);
  });
});
