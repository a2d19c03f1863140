import { describe, expect, it } from "vitest";
import type { GameInfo, OptionInfo } from "../../api/messages";
import { settings } from "../../settings/settings.svelte";
import { houseRules } from "./houseRules";
import { parseSheet } from "./parseSheet";

const option = (name: string, more: Partial<OptionInfo>): OptionInfo => ({
  name,
  default: null,
  values: null,
  min: null,
  max: null,
  defaults: null,
  ...more,
});

const game: GameInfo = {
  name: "molotov",
  guided: null,
  computers: ["greedy"],
  preparing: [],
  hints: true,
  options: [
    option("players", { default: 4, min: 3, max: 6 }),
    option("dealer", { min: 0, max: 3 }),
    option("undertrump", { default: "free", values: ["free", "if_void"] }),
    option("no_trump", { default: "eights", values: ["eights", "plain", "annul"] }),
    option("rounds", { default: 4, min: 1, max: 60, defaults: { "3": 3, "4": 4, "5": 5, "6": 6 } }),
    option("lie_fee", { default: 0, values: [0, 1] }),
    option("target", { default: 5, min: 1, max: 20 }),
  ],
};

const sheet = parseSheet(`# Molotov

## House rules

- \`players\`: 4; from 3 to 6.
- \`dealer\`: nobody named, the players draw; or the seat that deals first.
- \`undertrump\`: \`free\`, always allowed, even so; \`if_void\`, only by those who are void.
- \`no_trump\`: a round without trump: \`eights\`, each counts 8; \`plain\`; \`annul\`.
- \`rounds\`: 1 for each player; from 1 to 60.
- \`lie_fee\`: 0, none; 1, a chip.
- \`target\`: 5 strokes; from 1 to 20.
- \`stakes\`: not offered by this server.
`);

const usual = {
  players: 4,
  dealer: null,
  undertrump: "free",
  no_trump: "eights",
  rounds: 4,
  lie_fee: 0,
  target: 5,
};

const at = (chosen: object, players: string[] = []) => {
  settings.locale = "en";
  const rules = houseRules(sheet, game, { ...usual, ...chosen }, players);
  return Object.fromEntries(rules.map((rule) => [rule.name, rule]));
};

describe("houseRules", () => {
  it("keeps the order of the sheet and omits options that the server does not offer", () => {
    expect(Object.keys(at({}))).toEqual(game.options.map(({ name }) => name));
  });

  it("marks the one value in force, whether a word or a number", () => {
    const rules = at({ undertrump: "if_void", lie_fee: 1 });
    const inForce = (name: string) => rules[name]?.values.map((one) => one.inForce);
    expect(inForce("undertrump")).toEqual([false, true]);
    expect(inForce("lie_fee")).toEqual([false, true]);
    expect(inForce("no_trump")).toEqual([true, false, false]);
  });

  it("marks deviations from the defaults, except the number of players", () => {
    const changed = (chosen: object) =>
      Object.values(at(chosen)).flatMap((rule) => (rule.changed ? [rule.name] : []));
    expect(changed({})).toEqual([]);
    expect(changed({ undertrump: "if_void", target: 7 })).toEqual(["undertrump", "target"]);
    expect(changed({ players: 5, rounds: 5 })).toEqual([]);
    expect(changed({ players: 5, rounds: 4 })).toEqual(["rounds"]);
  });

  it("shows numbers as set, together with the default", () => {
    const { target } = at({ target: 7 });
    expect(target).toMatchObject({ value: "7", values: [], changed: true });
    expect(target?.usual).toEqual([{ kind: "text", text: "5 strokes; from 1 to 20" }]);
  });

  it("names the first dealer, or the seat if nobody sits there yet", () => {
    expect(at({}).dealer?.value).toBe("by drawing cards");
    expect(at({ dealer: 2 }).dealer?.value).toBe("seat 3");
    expect(at({ dealer: 2 }, ["Anna", "Reto", "Lea", "Urs"]).dealer?.value).toBe("Lea");
  });

  it("marks rules that have no effect at this table", () => {
    expect(at({}).no_trump?.matters).toBe(false);
    expect(at({ players: 3 }).no_trump?.matters).toBe(true);
  });

  it("does not repeat the title in the explanation", () => {
    const [free, ifVoid] = at({}).undertrump?.values ?? [];
    expect(free).toMatchObject({ title: "always allowed, even so", parts: [] });
    expect(ifVoid?.title).toBe("only if you cannot follow suit");
    expect(ifVoid?.parts).toEqual([{ kind: "text", text: "only by those who are void" }]);
  });
});
