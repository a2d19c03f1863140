// What people wear on their heads: crowns, caps, helmets, veils. Drawn over the hair, around x = 33.
import { BLACK, GREEN, RED, STEEL, WHITE, YELLOW } from "./palette";
import { disc, dot, line, plain, shape } from "./svg";

export type Hat =
  | "lily crown"
  | "arched crown"
  | "spiked crown"
  | "leafy crown"
  | "coronet"
  | "tiara"
  | "jester"
  | "beret"
  | "feathered"
  | "straw"
  | "helmet"
  | "tall"
  | "hood"
  | "herdsman"
  | "fur"
  | "slouch"
  | "bonnet"
  | "wreath";

/** A feather from a point, swept to one side. */
const feather = (x: number, y: number, to: 1 | -1, colour: string): string =>
  `<g transform="translate(${x} ${y}) scale(${to} 1)">${shape(
    "M0 0C-1 -9 5 -17 15 -18 20 -18 22 -14 19 -11 21 -8 17 -5 14 -5 11 -1 5 1 0 0Z",
    colour,
  )}${line("M1 -1Q6 -9 14 -13", 1.2)}</g>`;

/** A crown's band with its stones, on the brow. */
const circlet = (stone: string): string =>
  shape("M16 25Q33 19 50 25L49.5 32Q33 26 16.5 32Z", YELLOW) +
  dot(33, 25.2, 2.2, stone) +
  dot(24, 26.4, 1.6, stone) +
  dot(42, 26.4, 1.6, stone);

/** A hat of a kind, in the colours of who wears it. */
export function hat(kind: Hat, cloth: string, trim: string): string {
  switch (kind) {
    case "lily crown":
      return (
        shape(
          "M16 27 12 9C16 10 19 13 21.5 17 23 12 26 9 29 8 29 6 31 4 33 2 35 4 37 6 37 8 40 9 43 12 44.5 17 47 13 50 10 54 9L50 27Z",
          YELLOW,
        ) +
        dot(33, 12, 2, RED) +
        circlet(cloth)
      );
    case "arched crown":
      return (
        shape("M18 25C12 16 18 8 26 10 29 6 37 6 40 10 48 8 54 16 48 25Z", cloth) +
        line("M33 8V24", 5.4) +
        line("M33 8V24", 2.2, YELLOW) +
        line("M20 24C16 17 19 12 25 11M46 24C50 17 47 12 41 11", 1.6, YELLOW) +
        disc(33, 5, 3.2, YELLOW) +
        circlet(RED)
      );
    case "spiked crown":
      return (
        shape("M16 27 11 10 20 18 24 6 30 17 33 3 36 17 42 6 46 18 55 10 50 27Z", YELLOW) +
        disc(11, 9.5, 2.2, WHITE) +
        disc(24, 5.5, 2.2, WHITE) +
        disc(42, 5.5, 2.2, WHITE) +
        disc(55, 9.5, 2.2, WHITE) +
        disc(33, 3.5, 2.4, RED) +
        circlet(cloth)
      );
    case "leafy crown":
      return (
        shape(
          "M16 27C9 21 11 14 15 11 17 15 20 17 22 19 20 12 24 7 27 5 28 10 30 13 30 17 30 11 31 6 33 3 35 6 36 11 36 17 36 13 38 10 39 5 42 7 46 12 44 19 46 17 49 15 51 11 55 14 57 21 50 27Z",
          YELLOW,
        ) + circlet(cloth)
      );
    case "coronet":
      return (
        shape("M19 24 16.5 11 24.5 17 28 9 33 15 38 9 41.5 17 49.5 11 47 24Q33 19 19 24Z", YELLOW) +
        dot(33, 18.5, 1.9, cloth) +
        dot(25, 20, 1.5, cloth) +
        dot(41, 20, 1.5, cloth)
      );
    case "tiara":
      return (
        shape("M17 27C19 19 27 19 33 9 39 19 47 19 49 27Q33 19 17 27Z", YELLOW) +
        dot(33, 17.5, 2.2, cloth) +
        disc(33, 8.5, 2, WHITE)
      );
    case "jester":
      return (
        shape(
          "M17 31C12 25 6 22 4 31 1 24 3 14 12 13 15 13 18 14 20 16 24 10 27 5 35 1 35 6 37 11 42 15 50 11 60 14 62 24 57 19 52 24 49 31 40 25 26 25 17 31Z",
          cloth,
        ) +
        shape("M20 16C24 10 27 5 35 1 35 6 37 11 42 15 40 20 38 23 37 27H29C27 23 23 19 20 16Z", trim) +
        shape(
          "M15.5 31 20 25 24.5 29.5 29 24.5 33 28.5 37 24.5 41.5 29.5 46 25 50.5 31 46 35 41.5 31.5 37 34 33 31 29 34 24.5 31.5 20 35Z",
          YELLOW,
        ) +
        [
          [4, 32],
          [35, 1.5],
          [62, 25],
        ]
          .map(([x, y]) => disc(x ?? 0, y ?? 0, 3.3, YELLOW))
          .join("")
      );
    case "beret":
      return (
        feather(23, 17, -1, WHITE) +
        shape("M13 27C6 16 18 9 33 9S60 14 53 26C46 20 24 20 13 27Z", cloth) +
        shape("M15 29C15 24 24 20 33 20S51 24 51 29C44 25 22 25 15 29Z", trim)
      );
    case "feathered":
      return (
        shape("M20 25C20 12 25 7 33 7S46 12 46 25Z", cloth) +
        feather(22, 21, -1, RED) +
        shape("M9 29C9 23 20 20 33 20S55 23 55 28C48 25 42 24.5 33 24.5S16 25.5 9 29Z", trim)
      );
    case "straw":
      return (
        shape("M20 25C20 13 25 9 33 9S46 13 46 25Z", YELLOW) +
        shape("M19.5 20Q33 16 46.5 20V25H19.5Z", cloth) +
        shape("M6 28C8 23 20 22 33 22S58 23 60 28C55 32 45 27 33 27S11 32 6 28Z", YELLOW) +
        line("M12 27.5 18 25M54 27.5 48 25M25 14.5 27 12", 1.2)
      );
    case "helmet":
      return (
        shape("M17 27C17 12 25 8 33 8S49 12 49 27Z", STEEL) +
        shape("M33 4C38 6 40 12 39 25H27C26 12 28 6 33 4Z", STEEL) +
        shape("M8 31C14 24 22 24 33 24S52 24 58 31C50 31 44 29 33 29S16 31 8 31Z", STEEL) +
        line("M33 6V24", 1.3) +
        dot(22, 26.3, 1.2) +
        dot(44, 26.3, 1.2) +
        dot(33, 26.3, 1.2)
      );
    case "tall":
      return (
        shape("M19 26 23 6C29 3 38 3 43 6L47 26Z", cloth) +
        shape("M20 21Q33 17 46 21L47 26H19Z", trim) +
        shape("M9 28C14 23 22 23 33 23S52 23 57 28C50 31 43 27.5 33 27.5S16 31 9 28Z", cloth) +
        feather(44, 22, 1, GREEN)
      );
    case "hood":
      return (
        shape(
          "M14 46C9 22 20 11 33 10 40 9 50 4 56 8 50 9 50 14 51 19 56 27 56 38 52 46Q52 52 49 58 50 40 45 33 41 27 33 27S21 31 20 36C17 42 17 50 18 58Q14 52 14 46Z",
          cloth,
        ) + line("M18 56C17 44 18 37 21 33.5 25 28 41 28 45 33.5 48 37 49 44 48.5 56", 3.4, trim)
      );
    case "herdsman":
      return (
        shape("M17 27C15 14 24 10 33 10S51 14 49 27C40 22 26 22 17 27Z", BLACK) +
        line("M20 24C27 20.5 39 20.5 46 24", 1.5, YELLOW) +
        line("M33 11V19M24 14Q26 17 25 20M42 14Q40 17 41 20", 1.5, RED) +
        dot(33, 10, 2, RED)
      );
    case "fur":
      return (
        shape("M18 24C16 10 28 5 38 8 46 4 52 12 48 24Z", cloth) +
        shape(
          "M14 30C10 25 14 21 18 22 20 18 25 19 27 20 30 17 36 17 39 20 42 18 46 18 48 22 53 21 56 26 52 30 47 33 44 29 41 28 36 31 30 31 25 28 22 30 18 33 14 30Z",
          BLACK === cloth ? WHITE : "#9a6a3c",
        ) +
        disc(33, 13, 3.4, trim)
      );
    case "slouch":
      return (
        shape(
          "M15 30C10 18 18 8 32 8 48 6 60 12 60 22 60 27 57 30 53 30 54 26 50 22 46 22 34 20 22 23 15 30Z",
          cloth,
        ) +
        shape("M15 30C18 22 34 17 50 24L49 29C36 23 24 26 17 33Z", trim) +
        disc(24, 24.5, 2.7, RED)
      );
    case "bonnet":
      return (
        shape("M14 44C8 20 20 9 33 9S58 20 52 44C50 30 44 25 33 25S16 30 14 44Z", cloth) +
        line("M17 41C18 30 24 26.5 33 26.5S48 30 49 41", 3.2, trim) +
        plain("M22 17Q33 10 44 17 40 15 33 15T22 17Z", WHITE)
      );
    case "wreath":
      return [
        [16, 29, GREEN],
        [20, 24, RED],
        [26, 21, GREEN],
        [33, 19.5, RED],
        [40, 21, GREEN],
        [46, 24, RED],
        [50, 29, GREEN],
      ]
        .map(
          ([x, y, colour]) =>
            disc(Number(x), Number(y), 4, String(colour)) + dot(Number(x), Number(y), 1.3, YELLOW),
        )
        .join("");
  }
}
