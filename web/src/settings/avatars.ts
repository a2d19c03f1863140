// The avatars to choose from. An avatar is a string of seven characters, so two dozen of them weigh next
// to nothing; `Avatar.svelte` draws them.

/** The features of a face; the colours are indices of the lists below. */
export interface AvatarFeatures {
  skin: string;
  style: HairStyle;
  hair: string;
  hat: Hat;
  glasses: boolean;
  beard: Beard;
  shirt: string;
  disc: string;
}

export type HairStyle = "short" | "bald" | "bun" | "plaits" | "bob" | "curls" | "long" | "parted";
export type Hat = "none" | "straw" | "beret" | "cap" | "scarf" | "felt";
export type Beard = "none" | "moustache" | "full" | "goatee";

const SKINS = ["#f6d3b3", "#eebf98", "#d99e70", "#b0764a", "#7d5033"];
const HAIRS = ["#3b2a20", "#6b4226", "#a8672f", "#d9a441", "#e8e2d4", "#9a9a98", "#b5482a"];
const SHIRTS = ["#c8161d", "#1f5fa8", "#2f7d52", "#7a4a8c", "#d98a1c", "#3a4a52", "#c75b7a"];
const DISCS = ["#cfe3ea", "#f4dfb0", "#d5e6c8", "#ead5e0", "#f2d0bd", "#d9d6ee"];

const STYLES: Record<string, HairStyle> = {
  s: "short",
  b: "bald",
  u: "bun",
  p: "plaits",
  o: "bob",
  c: "curls",
  l: "long",
  r: "parted",
};
const HATS: Record<string, Hat> = { s: "straw", b: "beret", c: "cap", t: "scarf", f: "felt" };
const BEARDS: Record<string, Beard> = { m: "moustache", f: "full", g: "goatee" };

function at<T>(list: readonly T[], sign: string | undefined): T {
  const found = list[Number(sign)];
  if (found === undefined) throw new Error(`no such colour: ${String(sign)}`);
  return found;
}

/** Parses a face: skin, style, hair, hat, glasses, beard, shirt; the background follows from these. */
export function parseAvatar(face: string): AvatarFeatures {
  const [skin, style, hair, hat, glasses, beard, shirt] = face;
  const sum = Number(skin) + Number(hair) + 2 * Number(shirt);
  return {
    skin: at(SKINS, skin),
    style: STYLES[style ?? ""] ?? "short",
    hair: at(HAIRS, hair),
    hat: HATS[hat ?? ""] ?? "none",
    glasses: glasses === "g",
    beard: BEARDS[beard ?? ""] ?? "none",
    shirt: at(SHIRTS, shirt),
    disc: at(DISCS, String(sum % DISCS.length)),
  };
}

/** The faces that people may choose. Each is stored as its position here, from 1: only append. */
export const AVATARS: readonly string[] = [
  "0o3---1",
  "1s1---2",
  "2c0---4",
  "0p6---0",
  "1r1-g-5",
  "3s0--g5",
  "4c0---1",
  "0b5--f3",
  "1l2---6",
  "2o0-g-3",
  "0s3c--1",
  "3l0---4",
  "1u4-g-2",
  "4s0-g-0",
  "0r6--f2",
  "2p1---6",
  "1b4f-m5",
  "0c6---3",
  "3r0--m1",
  "4l0-g-6",
  "1s5s--4",
  "2u0---0",
  "0l3b--5",
  "3b0--f2",
];
