import { describe, expect, it } from "vitest";
import { parseStoredSettings } from "./settings.svelte";
import { isSingleKey, parseSingleKeys, USUAL_KEYS } from "./singleKeys";

describe("keys that work alone", () => {
  it("are letters and signs, since digits choose cards and the space presses buttons", () => {
    expect(["x", "?", "é", "+"].every(isSingleKey)).toBe(true);
    expect(["X", "1", " ", "", "ab", "Enter", "\u0000", null, 7].some(isSingleKey)).toBe(false);
  });

  it("are the usual ones in place of stored nonsense, and if one key had two actions", () => {
    expect(parseSingleKeys({ list: "h", rest: "t" })).toEqual({ list: "h", rest: "t" });
    expect(parseSingleKeys({ list: "h", rest: 3 })).toEqual({ list: "h", rest: "r" });
    for (const raw of [null, 7, "rest", [], { list: "x", rest: "x" }, { list: "r" }]) {
      expect(parseSingleKeys(raw)).toEqual(USUAL_KEYS);
    }
    expect(parseStoredSettings('{"singleKeys":0,"keys":"x"}')).toEqual({});
    expect(parseStoredSettings('{"singleKeys":false}')).toEqual({ singleKeys: false });
  });
});
