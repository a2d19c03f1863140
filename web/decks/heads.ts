// Heads: faces, hair and beards, around the middle (33, 40) of a half's field.
import { BLACK, BROWN, CHEEK, GREY, INK, RED, SKIN, WHITE, YELLOW } from "./palette";
import { disc, dot, line, plain, shape } from "./svg";

export const HAIR = {
  black: BLACK,
  brown: BROWN,
  red: "#b5541f",
  blond: "#e3b04b",
  grey: GREY,
  white: WHITE,
};

export type Mouth = "smile" | "grin" | "stern" | "small" | "lips" | "whistle" | "stalk";
export type Eyes = "front" | "left" | "right" | "closed" | "wink" | "lashes";

export interface Face {
  eyes: Eyes;
  mouth: Mouth;
  /** Heavy brows of the old and the grim, light ones of the young. */
  brows?: "none" | "light" | "heavy" | "raised";
  nose?: "small" | "long" | "round";
  cheeks?: boolean;
  browColour?: string;
}

const HEAD = "M18 35C18 17 48 17 48 35V41C48 52 41 59 33 59S18 52 18 41Z";

const EYES: Record<Eyes, string> = {
  front: dot(27, 40, 1.9) + dot(39, 40, 1.9),
  left: eye(27, -1.3) + eye(39, -1.3),
  right: eye(27, 1.3) + eye(39, 1.3),
  lashes:
    dot(27, 40.5, 1.9) +
    dot(39, 40.5, 1.9) +
    line("M23.5 39Q26.5 36.8 30 39M36 39Q39.5 36.8 42.5 39M23.5 39 22.3 37.8M42.5 39 43.7 37.8", 1.4),
  closed: line("M24.5 40.5Q27 42.5 29.5 40.5M36.5 40.5Q39 42.5 41.5 40.5"),
  wink: dot(27, 40, 1.9) + line("M36.5 40.5Q39 38 41.5 40.5"),
};

function eye(x: number, look: number): string {
  return (
    plain(`M${x - 3.4} 40A3.4 2.9 0 0 1 ${x + 3.4} 40 3.4 2.9 0 0 1 ${x - 3.4} 40Z`, WHITE) +
    line(`M${x - 3.4} 39.5A3.4 2.9 0 0 1 ${x + 3.4} 39.5`, 1.4) +
    dot(x + look, 40, 1.8)
  );
}

const MOUTHS: Record<Mouth, string> = {
  smile: line("M28.5 51Q33 55 37.5 51"),
  grin: shape("M27 49.5H39Q38 56 33 56T27 49.5Z", WHITE) + line("M27 49.5H39"),
  stern: line("M29 52.5Q33 51 37 52.5"),
  small: line("M30.5 52Q33 53.5 35.5 52"),
  lips: shape("M28.5 50.5Q31.2 50 33 50.8 34.8 50 37.5 50.5 33 56.5 28.5 50.5Z", RED),
  stalk:
    line("M28.5 50.5Q33 54.5 37.5 50.5") +
    line("M36.5 51.5 51 55.5", 1.9) +
    shape("M50.5 55.2C51.5 52 56 52.5 59 56 55.5 58.5 51.5 58.5 50.5 55.2Z", YELLOW),
  whistle: disc(33, 52.5, 1.8, INK),
};

const BROWS = {
  none: "",
  light: "M23.5 34.8Q27 32.8 30 34.3M36 34.3Q39 32.8 42.5 34.8",
  heavy: "M22.5 34.5 30 36.5M36 36.5 43.5 34.5",
  raised: "M23.5 34Q27 31 30.5 33.5M35.5 33.5Q39 31 42.5 34",
};

const NOSES = {
  small: "M33 42Q35 46 32 46.5",
  long: "M33 39C33.5 43 37 45.5 36 47.5 35 48.5 33 48 32 47.5",
  round: "M31 46.5A3 2.6 0 1 0 35.5 46.5",
};

/** The head with its face, bare. */
export function head(face: Face): string {
  const cheeks = face.cheeks === false ? "" : dot(22.5, 46.5, 3, CHEEK) + dot(43.5, 46.5, 3, CHEEK);
  const brows = BROWS[face.brows ?? "light"];
  return [
    shape("M18 38C14 36.5 13.5 45 18 45.5M48 38C52 36.5 52.5 45 48 45.5", SKIN),
    shape(HEAD, SKIN),
    cheeks,
    EYES[face.eyes],
    brows && line(brows, face.brows === "heavy" ? 2.8 : 1.6, face.browColour),
    line(NOSES[face.nose ?? "small"], 1.5),
    MOUTHS[face.mouth],
  ].join("");
}

export type Hair = "page" | "curls" | "short" | "long" | "plaits" | "sides" | "bun" | "wavy";

/** Hair in two layers: what is behind the head, and what falls before it. */
export function hair(style: Hair, colour: string): { back: string; front: string } {
  switch (style) {
    case "page":
      return {
        back: shape("M13 34C12 14 54 14 53 34L54 56C54 60 47 61 45 57H21C19 61 12 60 12 56Z", colour),
        front: shape(
          "M18 39C18 33 19 30 22 29 30 32 38 32 44 29 47 30 48 33 48 39 51 36 51 28 48 24 42 16 24 16 18 24 15 28 15 36 18 39Z",
          colour,
        ),
      };
    case "curls":
      return {
        back: [
          [15, 32],
          [13, 41],
          [15, 50],
          [51, 32],
          [53, 41],
          [51, 50],
        ]
          .map(([x, y]) => disc(x ?? 0, y ?? 0, 6, colour))
          .join(""),
        front: [
          [19, 25],
          [26, 22.5],
          [33, 22],
          [40, 22.5],
          [47, 25],
        ]
          .map(([x, y]) => disc(x ?? 0, y ?? 0, 5.5, colour))
          .join(""),
      };
    case "short":
      return {
        back: shape("M15.5 44C12 22 22 16 33 16S54 22 50.5 44Z", colour),
        front: shape(
          "M18 38C17 30 20 28 24 27 32 30 40 29 43 27 47 29 49 32 48 38 52 32 50 20 33 20S14 32 18 38Z",
          colour,
        ),
      };
    case "long":
      return {
        back: shape(
          "M13 34C13 14 53 14 53 34 53 48 60 58 57 74 50 79 46 72 45 66H21C20 72 16 79 9 74 6 58 13 48 13 34Z",
          colour,
        ),
        front: shape("M18 40C18 33 24 28 33 25 42 28 48 33 48 40 53 34 50 19 33 19S13 34 18 40Z", colour),
      };
    case "wavy":
      return {
        back: shape(
          "M13 36C11 14 55 14 53 36 58 42 52 46 56 53 60 60 54 64 57 71 50 76 46 70 45 64H21C20 70 16 76 9 71 12 64 6 60 10 53 14 46 8 42 13 36Z",
          colour,
        ),
        front: shape("M18 40C17 30 24 30 28 24 34 31 45 29 48 40 53 33 50 18 33 18S13 33 18 40Z", colour),
      };
    case "plaits":
      return {
        back: shape("M14 36C12 14 54 14 52 36V44H14Z", colour),
        front:
          shape("M18 40C18 33 24 29 33 24 42 29 48 33 48 40 53 34 51 19 33 19S13 34 18 40Z", colour) +
          [44, 52, 60, 68]
            .map(
              (y) =>
                shape(`M10 ${y}Q15 ${y - 5} 19 ${y}T14.5 ${y + 8} 10 ${y}Z`, colour) +
                shape(`M56 ${y}Q51 ${y - 5} 47 ${y}T51.5 ${y + 8} 56 ${y}Z`, colour),
            )
            .join(""),
      };
    case "bun":
      return {
        back:
          shape("M14 44C11 16 55 16 52 44Q50 50 46 48H20Q16 50 14 44Z", colour) +
          disc(13.5, 46, 6.5, colour) +
          disc(52.5, 46, 6.5, colour),
        front: shape("M18 39C19 32 26 30 33 25 40 30 47 32 48 39 52 33 50 19 33 19S14 33 18 39Z", colour),
      };
    case "sides":
      return {
        back: shape(
          "M18 34C11 32 10 44 13 50 16 52 19 49 19 46ZM48 34C55 32 56 44 53 50 50 52 47 49 47 46Z",
          colour,
        ),
        front: "",
      };
  }
}

export type Beard = "full" | "long" | "forked" | "goatee" | "moustache" | "twirled" | "chin" | "curly";

/** A beard, over the face. */
export function beard(style: Beard, colour: string): string {
  const lip = shape(
    "M33 48.5C28 46 24 48 22.5 52.5 27 54.5 31 53.5 33 51 35 53.5 39 54.5 43.5 52.5 42 48 38 46 33 48.5Z",
    colour,
  );
  switch (style) {
    case "full":
      return (
        shape("M17.5 40C20 47 24 48 33 48S46 47 48.5 40C51 58 45 69 33 69S15 58 17.5 40Z", colour) +
        lip +
        line("M30.5 56.5Q33 58 35.5 56.5")
      );
    case "long":
      return (
        shape("M17.5 40C20 47 24 48 33 48S46 47 48.5 40C52 60 46 74 33 85 20 74 14 60 17.5 40Z", colour) +
        line("M27 62Q28 70 32 75M39 61Q38 67 36 71M33 60V66", 1.3) +
        lip +
        line("M30.5 56.5Q33 58 35.5 56.5")
      );
    case "forked":
      return (
        shape(
          "M17.5 40C20 47 24 48 33 48S46 47 48.5 40C51 56 47 70 42 78 39 76 35 71 33 66 31 71 27 76 24 78 19 70 15 56 17.5 40Z",
          colour,
        ) +
        lip +
        line("M30.5 56.5Q33 58 35.5 56.5")
      );
    case "curly":
      return (
        [
          [19, 50],
          [22, 58],
          [28, 63.5],
          [38, 63.5],
          [44, 58],
          [47, 50],
          [33, 65.5],
        ]
          .map(([x, y]) => disc(x ?? 0, y ?? 0, 5.2, colour))
          .join("") +
        plain("M19 45Q33 62 47 45L44 60 33 66 22 60Z", colour) +
        lip +
        line("M30 56.5Q33 59 36 56.5")
      );
    case "goatee":
      return lip + shape("M28 56.5Q33 54.5 38 56.5 37.5 66 33 70 28.5 66 28 56.5Z", colour);
    case "chin":
      return shape("M18 44C20 54 26 57 33 57S46 54 48 44C50 58 43 66 33 66S16 58 18 44Z", colour);
    case "moustache":
      return shape(
        "M33 48C27 45.5 21 48 19 55 25 56.5 31 55 33 51.5 35 55 41 56.5 47 55 45 48 39 45.5 33 48Z",
        colour,
      );
    case "twirled":
      return shape(
        "M33 48.5C28 46.5 24 49 20 49 17 49 15.5 46.5 16.5 43.5 12 46 14 54 21 54 26 54.5 31 53 33 51.5 35 53 40 54.5 45 54 52 54 54 46 49.5 43.5 50.5 46.5 49 49 46 49 42 49 38 46.5 33 48.5Z",
        colour,
      );
  }
}
