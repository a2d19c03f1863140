import { describe, expect, it } from "vitest";
import type { TableState } from "../../table/tableState";
import { isNewTurn } from "./turnText";

const asked = (...legal: string[]): TableState =>
  ({ turn: { legal, more: false, refused: {} } }) as unknown as TableState;
const waiting = { turn: null } as TableState;

describe("what the reader is asked", () => {
  it("is new if nothing was asked before, or something else", () => {
    expect(isNewTurn(null, asked("play JC"))).toBe(true);
    expect(isNewTurn(waiting, asked("play JC"))).toBe(true);
    expect(isNewTurn(asked("play JC", "play 6H"), asked("play 6H"))).toBe(true);
  });

  it("is not new where only others have bid", () => {
    expect(isNewTurn(asked("bid 0", "bid 1"), asked("bid 0", "bid 1"))).toBe(false);
  });

  it("is nothing while others are to act", () => {
    expect(isNewTurn(asked("play JC"), waiting)).toBe(false);
  });
});
