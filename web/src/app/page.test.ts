import { describe, expect, it } from "vitest";
import { parseRecentTables } from "../browser/recentTables";
import { replayPath, parseRoute, tablePath } from "../browser/routes";
import { browserLocale, locales, offeredLocales } from "../settings/locales";
import { parseStoredSettings } from "../settings/settings.svelte";
import { retryDelay } from "../api/connection";

describe("parseRoute", () => {
  it("parses the addresses of all pages and rejects any other", () => {
    expect(parseRoute("/")).toEqual({ name: "start" });
    expect(parseRoute("/me")).toEqual({ name: "own" });
    expect(parseRoute("/me/x")).toEqual({ name: "unknown" });
    expect(parseRoute(tablePath("abcDEF_-123"))).toEqual({ name: "table", table: "abcDEF_-123", key: null });
    const [path, hash] = tablePath("abc", "Key_-1").split(/(?=#)/) as [string, string];
    expect(path).toBe("/t/abc");
    expect(parseRoute(path, hash)).toEqual({ name: "table", table: "abc", key: "Key_-1" });
    expect(tablePath("abc", "Key_-1", "fr")).toBe("/t/abc?lang=fr#k=Key_-1");
    expect(tablePath("abc", null, "fr")).toBe("/t/abc?lang=fr");
    expect(parseRoute("/t/abc", "#hand")).toEqual({ name: "table", table: "abc", key: null });
    const replay = { name: "replay", table: "abc", match: 2, key: null };
    expect(parseRoute(replayPath("abc", 2))).toEqual(replay);
    expect(replayPath("abc", 2, "Key_-1", { step: 17 })).toBe("/t/abc/replay/2?step=17#k=Key_-1");
    expect(replayPath("abc", 2, null, { round: 3 })).toBe("/t/abc/replay/2?round=3");
    expect(parseRoute("/t/abc/replay/2", "#k=Key_-1")).toEqual({ ...replay, key: "Key_-1" });
    expect(parseRoute("/t/abc/replay/0")).toEqual({ name: "unknown" });
    expect(parseRoute("/t/abc/replay")).toEqual({ name: "unknown" });
    expect(parseRoute("/t/")).toEqual({ name: "unknown" });
    expect(parseRoute("/t/a/b")).toEqual({ name: "unknown" });
    expect(parseRoute("/rules")).toEqual({ name: "unknown" });
  });
});

describe("stored settings and recent tables", () => {
  it("restores valid settings and drops invalid ones", () => {
    const stored = {
      locale: "it",
      deck: "swiss",
      colours: "four",
      theme: "dark",
      speed: "calm",
      volume: "off",
      vibration: false,
      alerts: true,
      mode: "text",
      side: "left",
      twoTaps: true,
      talk: false,
      lastCard: false,
      face: 3,
    };
    expect(parseStoredSettings(JSON.stringify(stored))).toEqual(stored);
    const nonsense = {
      locale: "xx",
      deck: 7,
      colours: 3,
      speed: null,
      volume: "deafening",
      vibration: 1,
      alerts: "yes",
      mode: 0,
      side: "top",
      twoTaps: 2,
      talk: "no",
      lastCard: "hand",
      face: 99,
    };
    expect(parseStoredSettings(JSON.stringify(nonsense))).toEqual({});
    expect(parseStoredSettings('{"opponents":{"molotov":"master","jass":7}}')).toEqual({
      opponents: { molotov: "master" },
    });
    expect(parseStoredSettings('{"opponents":"master"}')).toEqual({});
    for (const text of [null, "", "{", "[]", "null", '"x"']) expect(parseStoredSettings(text)).toEqual({});
  });

  it("keeps only valid recent tables", () => {
    const table = { table: "abc", game: "molotov", name: "Anna" };
    expect(parseRecentTables(JSON.stringify([table, { table: 3 }, null]))).toEqual([table]);
    for (const text of [null, "{", "{}", "7"]) expect(parseRecentTables(text)).toEqual([]);
  });
});

describe("browserLocale", () => {
  it("returns the first preferred language that the page offers", () => {
    expect(browserLocale(["rm-CH", "it-CH", "de"])).toBe("it");
    expect(browserLocale(["fr-CH"])).toBe("fr");
    expect(browserLocale(["EN-gb"])).toBe("en");
  });

  it("falls back to English if the page offers none of them, or to the first language without it", () => {
    expect(browserLocale(["rm"])).toBe("en");
    expect(browserLocale([])).toBe("en");
    expect(browserLocale(["pt-BR", "sq"], ["it", "fr"])).toBe("it");
  });

  it("returns only languages that the host offers", () => {
    expect(browserLocale(["de", "it-CH"], ["fr", "it"])).toBe("it");
    expect(browserLocale(["de"], ["fr", "it"])).toBe("fr");
    expect(offeredLocales(["fr", "rm", "it"])).toEqual(["fr", "it"]);
    expect(offeredLocales(["rm"])).toEqual(locales);
  });
});

describe("retryDelay", () => {
  it("grows up to a limit and varies at random", () => {
    const waits = [0, 1, 2, 3, 4, 5, 20].map((attempt) => retryDelay(attempt, 1));
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    expect(waits.at(-1)).toBe(8000);
    expect(retryDelay(3, 0)).toBeLessThan(retryDelay(3, 1));
    expect(retryDelay(0, 0)).toBeGreaterThan(0);
  });
});
