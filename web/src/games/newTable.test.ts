import { describe, expect, it } from "vitest";
import type { GameInfo, OptionInfo } from "../api/messages";
import { settings } from "../settings/settings.svelte";
import {
  changedOptions,
  withDefaults,
  tutorialTableRequest,
  newTableRequest,
  optionsSummary,
} from "./newTable";
import { isBotReady, preferredBot } from "./botChoices";
import { optionValues } from "../i18n/gameLabels";

const choice = (name: string, values: (string | number)[]): OptionInfo => ({
  name,
  default: values[0] ?? null,
  values,
  min: null,
  max: null,
  defaults: null,
});
const whole = (name: string, value: number, min: number, max: number): OptionInfo => ({
  name,
  default: value,
  values: null,
  min,
  max,
  defaults: null,
});

const molotov: GameInfo = {
  name: "molotov",
  guided: null,
  computers: ["random", "greedy", "club", "master"],
  preparing: [],
  hints: true,
  options: [
    whole("players", 4, 3, 6),
    { name: "dealer", default: null, values: null, min: 0, max: 3, defaults: null },
    choice("ties", ["nothing", "generous"]),
    choice("long_runs", ["fifty", "weis"]),
    choice("no_trump", ["eights", "plain", "annul"]),
    choice("five_player_marks", ["3-1-1", "2-1-2"]),
    whole("target", 5, 1, 20),
  ],
};

const doubt: GameInfo = {
  name: "i-doubt-it",
  guided: null,
  computers: ["random", "greedy", "club", "master"],
  preparing: [],
  hints: true,
  options: [
    whole("players", 4, 2, 8),
    { ...whole("rounds", 4, 1, 60), defaults: { "2": 2, "3": 3, "4": 4, "5": 5, "6": 6 } },
    { ...whole("max_turns", 48, 20, 5000), defaults: { "2": 50, "3": 75, "4": 48, "5": 60, "6": 72 } },
    choice("last", ["three", "any"]),
  ],
};

const wish = {
  game: molotov,
  name: "Anna",
  thinkingTime: null,
  matchTime: null,
  starters: "host" as const,
  pause: 700,
  opponent: "club",
  hints: false,
} as const;

describe("preferredBot and isBotReady", () => {
  const game = { ...molotov, computers: ["random", "greedy", "club", "master"] };

  it("prefers the last choice, else a strong bot, and never the random one", () => {
    expect(preferredBot(game, "master")).toBe("master");
    expect(preferredBot(game, null)).toBe("club");
    expect(preferredBot(game, "random")).toBe("club");
    expect(preferredBot({ ...game, computers: ["random", "greedy"] }, "club")).toBe("greedy");
  });

  it("prefers the sociable bot where there is one, unless another was chosen there", () => {
    const lively = { ...doubt, computers: ["random", "sociable", "greedy", "club", "master"] };
    expect(preferredBot(lively, null, null)).toBe("sociable");
    expect(preferredBot(lively, null, "master")).toBe("sociable");
    expect(preferredBot(lively, "club", "club")).toBe("club");
    expect(preferredBot(game, null, "master")).toBe("master");
    expect(preferredBot(game, null, "sociable")).toBe("club");
  });

  it("falls back to the strongest weaker bot while the preferred one is not ready", () => {
    const early = { ...game, preparing: ["club", "master"] };
    expect(preferredBot(early, "master")).toBe("greedy");
    expect(preferredBot({ ...game, preparing: ["master"] }, "master")).toBe("club");
    expect(preferredBot({ ...game, preparing: ["greedy", "club", "master"] }, null)).toBe("club");
    const withGuest = { ...game, computers: [...game.computers, "guest"] };
    expect(preferredBot({ ...withGuest, preparing: ["club"] }, null)).toBe("greedy");
    expect(preferredBot({ ...withGuest, preparing: ["guest"] }, "guest")).toBe("greedy");
    expect(isBotReady(early, "club")).toBe(false);
    expect(isBotReady(early, "greedy")).toBe(true);
  });
});

describe("newTableRequest", () => {
  it("seats the host first, fills up with computers, and starts", () => {
    const chosen = { ...withDefaults(molotov), players: 3 };
    expect(newTableRequest({ ...wish, chosen, against: "computers" })).toMatchObject({
      seats: ["me", "bot:club", "bot:club"],
      stand_in: "club",
      hints: false,
      start: true,
      name: "Anna",
    });
  });

  it("sends the chosen times and who may start", () => {
    const timed = { thinkingTime: "unlimited", matchTime: 600, starters: "all" } as const;
    const table = newTableRequest({ ...wish, ...timed, chosen: withDefaults(molotov), against: "people" });
    expect(table).toMatchObject({ thinking_time: "unlimited", match_time: 600, starters: "all" });
  });

  it("leaves the other seats open for invited people", () => {
    const table = newTableRequest({ ...wish, chosen: withDefaults(molotov), against: "people" });
    expect(table).toMatchObject({ seats: ["me", "open", "open", "open"], start: false });
  });

  it("sends only options that have an effect with this number of players", () => {
    const chosen = { ...withDefaults(molotov), five_player_marks: "2-1-2", no_trump: "annul" };
    const four = newTableRequest({ ...wish, chosen, against: "people" }).options ?? {};
    expect(Object.keys(four).sort()).toEqual(["dealer", "players", "target", "ties"]);
    const five = newTableRequest({ ...wish, chosen: { ...chosen, players: 5 }, against: "people" });
    expect(five.options).toMatchObject({ five_player_marks: "2-1-2", long_runs: "fifty" });
    const three = newTableRequest({ ...wish, chosen: { ...chosen, players: 3 }, against: "people" });
    expect(three.options).toMatchObject({ no_trump: "annul" });
  });

  it("drops a first dealer whose seat no longer exists", () => {
    const chosen = { ...withDefaults(molotov), players: 3, dealer: 5 };
    expect(newTableRequest({ ...wish, chosen, against: "people" }).options?.dealer).toBeNull();
  });
});

describe("options with a default by number of players", () => {
  it("uses the default for the number of players until a value is chosen", () => {
    expect(withDefaults(doubt)).toMatchObject({ players: 4, rounds: 4, max_turns: 48 });
    expect(withDefaults(doubt, { players: 6 })).toMatchObject({ rounds: 6, max_turns: 72 });
    expect(withDefaults(doubt, { players: 6, rounds: 4 })).toMatchObject({ rounds: 4 });
  });

  it("counts as unchanged at the default for the number of players", () => {
    expect(changedOptions(doubt, withDefaults(doubt, { players: 6 }))).toEqual([]);
    expect(changedOptions(doubt, withDefaults(doubt, { players: 6, max_turns: 100 }))).toEqual(["max_turns"]);
  });
});

describe("tutorialTableRequest", () => {
  it("seats the learner first, then computers, and sends no options", () => {
    expect(tutorialTableRequest({ ...molotov, guided: 3 }, "Anna", 700)).toEqual({
      game: "molotov",
      seats: ["me", "bot:greedy", "bot:greedy"],
      name: "Anna",
      pause: 700,
      start: true,
      guided: true,
    });
  });
});

describe("optionValues, changedOptions and optionsSummary", () => {
  it("offers the draw and each seat for the first dealer", () => {
    const dealer = molotov.options[1] as OptionInfo;
    expect(optionValues(dealer, 6)).toEqual([null, 0, 1, 2, 3, 4, 5]);
  });

  it("lists only options that differ from the default and have an effect", () => {
    const chosen = { ...withDefaults(molotov), ties: "generous", five_player_marks: "2-1-2" };
    expect(changedOptions(molotov, chosen)).toEqual(["ties"]);
  });

  it("describes the options in words", () => {
    settings.locale = "de";
    expect(optionsSummary(molotov, { ...withDefaults(molotov), ties: "generous" })).toEqual([
      { label: "Gleichstand", value: "alle erhalten den besseren Eintrag" },
      { label: "Striche zum Sieg", value: "5" },
    ]);
  });

  it("names the first dealer, or the seat while nobody sits there", () => {
    settings.locale = "de";
    const names = ["Anna", "Reto", "Computer 1", "Computer 2"];
    const rules = optionsSummary(molotov, { ...withDefaults(molotov), dealer: 0 }, names);
    expect(rules).toContainEqual({ label: "Erster Geber", value: "Anna" });
    const free = optionsSummary(molotov, { ...withDefaults(molotov), dealer: 0 }, ["", "Reto", "", ""]);
    expect(free).toContainEqual({ label: "Erster Geber", value: "Platz 1" });
  });
});
