import { describe, expect, it } from "vitest";
import type { GameInfo, OptionInfo } from "../api/messages";
import { withDefaults } from "./newTable";
import { isChosen, presetsOf } from "./presets";

const choice = (name: string, ...values: (string | number)[]): OptionInfo => ({
  name,
  default: values[0] ?? null,
  values,
  min: null,
  max: null,
  defaults: null,
});

const schieber: GameInfo = {
  name: "schieber",
  guided: null,
  computers: ["greedy"],
  preparing: [],
  hints: true,
  options: [
    choice("players", 4),
    choice("target", 1000, 1500, 2500, 3000),
    choice("rounds", 0, 4, 8, 12, 16),
    choice("multipliers", "none", "swiss", "french"),
    choice("weis", "on", "off"),
    choice("match_bonus", 100, 0),
  ],
};

describe("presetsOf", () => {
  it("offers values that exist, and each set of rules is recognised", () => {
    for (const deck of ["swiss", "french"] as const) {
      const presets = presetsOf("schieber", deck);
      for (const preset of presets) {
        for (const [name, value] of Object.entries(preset.options))
          expect(schieber.options.find((one) => one.name === name)?.values).toContain(value);
        const chosen = withDefaults(schieber, preset.options);
        expect(presets.filter((one) => isChosen(one, schieber, chosen))).toEqual([preset]);
      }
    }
  });

  it("recognises none where a rule was changed", () => {
    const chosen = { ...withDefaults(schieber), match_bonus: 0 };
    expect(presetsOf("schieber", "swiss").some((one) => isChosen(one, schieber, chosen))).toBe(false);
  });

  it("doubles the suits of the deck", () => {
    const [, , factors] = presetsOf("schieber", "french");
    expect(factors?.options).toEqual({ target: 2500, multipliers: "french" });
  });

  it("has none for games without well-known sets of rules", () => {
    expect(presetsOf("molotov", "swiss")).toEqual([]);
  });
});
