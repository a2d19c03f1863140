import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../scripts/python.mjs";
import { RANKS, SUITS, type Rank } from "../src/cards/cards";
import { face, hasPicture } from "./card";
import { FRENCH_CAST, SWISS_CAST } from "./cast";
import { files, ranksOf } from "./files";
import { BELT, CARD_HEIGHT, CARD_WIDTH, FRAME, halfId, pips, TURNED } from "./layout";
import { DRAWINGS } from "./palette";
import { half, halves } from "./pictures";
import { signs } from "./suits";

const words = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(resolve(root, `src/jasstisch/i18n/common/${language}.json`), "utf-8"));

const published = files(words("en"));
const cards = [...published];

/** The captures of all matches of a pattern with one group. */
const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((found) => found[1] ?? "");

const TAG = /^<(\/?)([a-zA-Z]+)((?: [a-zA-Z-]+="[^"<&]*")*)(\/?)>/;

/** Whether a text is well-formed XML: one root, correctly nested tags, no duplicate attributes. */
function isXml(text: string): boolean {
  const open: string[] = [];
  let rest = text.trim();
  do {
    const [whole, closes, name = "", attributes = "", empty] = TAG.exec(rest) ?? [];
    if (whole === undefined) return false;
    const names = all(attributes, / ([a-zA-Z-]+)=/g);
    if (new Set(names).size < names.length) return false;
    if (closes && (attributes || empty || open.pop() !== name)) return false;
    if (!closes && !empty) open.push(name);
    rest = rest.slice(whole.length).replace(/^[^<&]+/, "");
  } while (open.length > 0);
  return rest === "";
}

describe("files(): the published card images", () => {
  it("returns 36 Swiss cards, 52 French ones in two and four colours, and a back, all distinct", () => {
    const count = (folder: string) => cards.filter(([path]) => path.startsWith(`${folder}/`)).length;
    expect(count("swiss")).toBe(36);
    expect(count("french")).toBe(52);
    expect(count("french-four-colours")).toBe(52);
    const drawings = cards
      .filter(([path]) => path.startsWith("swiss/") || path.startsWith("french/"))
      .map(([, text]) => text.replace(/<title>.*<\/title>/, "").replace(/(suit|half)-[^"]*/g, ""));
    expect(new Set(drawings).size).toBe(36 + 52);
    expect(cards.length).toBe(36 + 52 + 52 + 1);
    expect(published.has("back.svg")).toBe(true);
  });

  it("matches the copies in the Python package (after a change: npm run decks:package)", () => {
    const folder = resolve(root, "src/jasstisch/env/matches/decks");
    for (const [path, text] of cards) {
      if (path.startsWith("french-four-colours/")) continue;
      expect(readFileSync(resolve(folder, path), "utf-8"), path).toBe(text);
    }
  });

  it("produces well-formed XML", () => {
    for (const wrong of ["<svg><g></svg>", "<svg/><svg/>", '<svg x="1" x="2"/>', "<svg>&</svg>", "<svg"]) {
      expect(isXml(wrong), wrong).toBe(false);
    }
    for (const [path, text] of cards) expect(isXml(text), path).toBe(true);
  });

  it("references no external resource and needs no font", () => {
    for (const [path, text] of cards) {
      const ids = all(text, / id="([^"]*)"/g);
      for (const href of all(text, /href="([^"]*)"/g)) expect(ids, path).toContain(href.slice(1));
      expect(text.replace("http://www.w3.org/2000/svg", ""), path).not.toMatch(
        /https?:|url\(|data:|<(image|script|style|text|foreignObject)\b/,
      );
    }
  });

  it("gives every element a unique id, so that one page can hold many cards", () => {
    const ids = cards.flatMap(([, text]) => all(text, / id="([^"]*)"/g));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("uses each language's card names and index letters, and throws if words are missing", () => {
    expect(published.get("swiss/JC.svg")).toContain("<title>Under of acorns</title>");
    for (const language of ["de", "fr", "it"]) {
      const there = files(words(language));
      expect([...there.keys()]).toEqual([...published.keys()]);
      for (const [path, text] of there) expect(isXml(text), path).toBe(true);
    }
    const [english, french] = [published, files(words("fr"))].map((one) => one.get("french/KH.svg"));
    expect(english?.replace(/<title>.*<\/title>/, "")).not.toBe(french?.replace(/<title>.*<\/title>/, ""));
    expect(() => files({})).toThrow("no word");
  });
});

interface Point {
  x: number;
  y: number;
}

const turned = ({ x, y }: Point): Point => ({ x: CARD_WIDTH - x, y: CARD_HEIGHT - y });
const sorted = (points: Point[]): string[] => points.map(({ x, y }) => `${x} ${y}`).sort();

/** The centres of a card's pips, with rotations applied. */
function pipsOf(text: string): Point[] {
  const [, lower = ""] =
    new RegExp(`<g transform="${TURNED.replace(/[()]/g, "\\$&")}">(.*?)</g>`).exec(text) ?? [];
  const middles = (part: string): Point[] =>
    [...part.matchAll(/x="([\d.]+)" y="([\d.]+)" width="29"/g)].map(([, x, y]) => ({
      x: Number(x) + 14.5,
      y: Number(y) + 14.5,
    }));
  return [...middles(text.replace(lower, "")), ...middles(lower).map(turned)];
}

/** The corners of a path of straight lines and round corners. */
function corners(path: string): Point[] {
  const at = { x: 0, y: 0 };
  return [...path.matchAll(/([MHVA])([^MHVAZ]*)/g)].map(([, command, rest = ""]) => {
    const numbers = rest.trim().split(/[ ,]+/).map(Number);
    if (command !== "V") at.x = numbers.at(command === "H" ? -1 : -2) ?? NaN;
    if (command !== "H") at.y = numbers.at(-1) ?? NaN;
    return { ...at };
  });
}

describe("face(): the drawing of a card", () => {
  it.each(DRAWINGS)("gives each number card as many pips as its value (%s)", (drawing) => {
    const numbers = ranksOf(drawing).filter((rank) => !hasPicture(drawing, rank));
    const values = numbers.map((rank) => (rank === "T" ? 10 : Number(rank)));
    const counts = numbers.map((rank) => pipsOf(face(drawing, rank, "H", "")).length);
    expect(counts).toEqual(values);
  });

  it("draws number cards that look the same upside down", () => {
    for (const rank of RANKS.filter((rank) => !hasPicture("french", rank))) {
      const points = pipsOf(face("french", rank, "S", ""));
      expect(sorted(points.map(turned)), rank).toEqual(sorted(points));
      expect(new Set(sorted(points)).size, rank).toBe(points.length);
    }
    expect(pips("K")).toEqual({ half: [], middle: false });
  });

  it("draws a frame and a belt that look the same upside down", () => {
    for (const path of [FRAME, BELT]) {
      const points = [...new Set(sorted(corners(path)))];
      expect([...new Set(sorted(corners(path).map(turned)))]).toEqual(points);
    }
  });

  it("draws a picture card as one half used twice, once rotated", () => {
    for (const drawing of DRAWINGS) {
      for (const suit of SUITS) {
        for (const rank of ranksOf(drawing).filter((rank) => hasPicture(drawing, rank))) {
          const use = `<use href="#${halfId(drawing, rank + suit)}"/>`;
          const text = face(drawing, rank, suit, "");
          expect(text.split(use).length - 1).toBe(2);
          expect(text).toContain(`<g transform="${TURNED}">${use}</g>`);
        }
      }
    }
  });

  it("throws for an index letter without a glyph", () => {
    expect(() => face("swiss", "K", "C", "X")).toThrow("no glyph");
  });
});

describe("half(): the drawing of half a picture card", () => {
  it("places the suit sign low on an Under, high on an Ober and between on a king", () => {
    const height = (rank: Rank): number => {
      const [y] = all(half("swiss", rank, "H"), /href="#suit-swiss-H" x="[\d.]+" y="([\d.]+)"/g);
      return Number(y);
    };
    expect(height("Q")).toBeLessThan(height("K"));
    expect(height("K")).toBeLessThan(height("J"));
  });

  it("shows 24 different people in the two casts", () => {
    const people = [SWISS_CAST, FRENCH_CAST].flatMap((cast) =>
      Object.values(cast).flatMap((suit) => Object.values(suit)),
    );
    expect(new Set(people.map((one) => JSON.stringify(one.face) + one.hair + one.hat)).size).toBe(24);
  });

  it("gives every half and suit sign a unique id, and throws for a number card", () => {
    const ids = DRAWINGS.flatMap((drawing) => all(signs(drawing) + halves(drawing), / id="([^"]*)"/g));
    expect(ids.length).toBe(3 * 4 + 20 + 16 + 16);
    expect(new Set(ids).size).toBe(ids.length);
    expect(() => half("swiss", "7", "H")).toThrow("pips");
  });
});
