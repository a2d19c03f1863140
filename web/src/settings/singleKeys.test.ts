import { describe, expect, it } from "vitest";
import { parseStoredSettings } from "./settings.svelte";
import { isSingleKey, parseSingleKeys, USUAL_KEYS } from "./singleKeys";

describe("keys that work alone", () => {
  it("are letters, digits and signs, since the space presses buttons", () => {
    expect(["x", "?", "é", "+", "1"].every(isSingleKey)).toBe(true);
    expect(["X", " ", "", "ab", "Enter", "\u0000", null, 7].some(isSingleKey)).toBe(false);
  });

  it("are the usual ones in place of stored nonsense, and if one key had two actions", () => {
    expect(parseSingleKeys({ list: "h", card10: "t" })).toEqual({ ...USUAL_KEYS, list: "h", card10: "t" });
    expect(parseSingleKeys({ list: "h", rest: 3 })).toEqual({ ...USUAL_KEYS, list: "h" });
    expect(parseSingleKeys({ card1: "2", card2: "1" })).toEqual({ ...USUAL_KEYS, card1: "2", card2: "1" });
    for (const raw of [null, 7, "rest", [], { list: "x", rest: "x" }, { list: "r" }, { card1: "2" }]) {
      expect(parseSingleKeys(raw)).toEqual(USUAL_KEYS);
    }
    expect(parseStoredSettings('{"singleKeys":0,"keys":"x"}')).toEqual({});
    expect(parseStoredSettings('{"singleKeys":false}')).toEqual({ singleKeys: false });
  });
});
