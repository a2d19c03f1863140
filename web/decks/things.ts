// What people hold. A staff stands at the left edge of the field, a small thing is lifted at the right.
import { BLUE, BROWN, GREEN, GREY, RED, SKIN, STEEL, WHITE, YELLOW } from "./palette";
import { band, disc, dot, line, moved, plain, shape } from "./svg";

export type Staff =
  | "halberd"
  | "sceptre"
  | "lily sceptre"
  | "sword"
  | "crosier"
  | "spear"
  | "axe"
  | "rake"
  | "marotte"
  | "bow"
  | "oak"
  | "distaff"
  | "flower"
  | "flag";

export type Thing =
  | "letter"
  | "flute"
  | "cup"
  | "horn"
  | "orb"
  | "book"
  | "fan"
  | "bird"
  | "rose"
  | "mirror"
  | "pipe"
  | "scroll"
  | "tankard";

const X = 7;
const pole = (colour: string, top = 4): string => band(`M${X} ${top}V88`, 2.6, colour);

/** A fist around a staff, with its cuff. */
const fist = (y: number, cuff: string): string =>
  shape(`M10 ${y + 4}L17 ${y + 8} 13 ${y + 15} 6 ${y + 9}Z`, cuff) +
  shape(
    `M2.5 ${y}C2.5 ${y - 3} 5 ${y - 4} 7.5 ${y - 4}S12.5 ${y - 3} 12.5 ${y}V${y + 5}C12.5 ${y + 8} 10 ${y + 9} 7.5 ${y + 9}S2.5 ${y + 8} 2.5 ${y + 5}Z`,
    SKIN,
  ) +
  line(`M3 ${y}H8M3 ${y + 4}H8`, 1.2);

const STAVES: Record<Staff, () => string> = {
  halberd: () =>
    pole(BROWN, 10) +
    shape("M7 1 10 13H4ZM4 13C0 14 -2 20 0 28L5 24V13ZM10 15 15 13 14 25 10 22Z", STEEL) +
    line("M4 12H10V25H4Z") +
    plain("M5 13H9V24H5Z", BROWN),
  sceptre: () =>
    pole(YELLOW, 16) +
    disc(7, 10, 6, RED) +
    line("M1 10H13M7 4V16", 1.3) +
    shape("M5 4 7 -1 9 4Z", YELLOW) +
    shape("M3 16H11L9.5 20H4.5Z", YELLOW),
  "lily sceptre": () =>
    pole(YELLOW, 18) +
    shape(
      "M7 1C10 5 10.5 9 9 13 12 9 15 10 15 14 14 17 11 18 9 17.5H5C3 18 0 17 -1 14 -1 10 2 9 5 13 3.5 9 4 5 7 1Z",
      YELLOW,
    ) +
    line("M2.5 19.5H11.5", 2.6),
  sword: () =>
    shape("M7 1 10.5 8V62H3.5V8Z", STEEL) +
    line("M7 9V60", 1.2) +
    shape("M-1 60H15V64.5H-1Z", YELLOW) +
    band("M7 66V80", 3, BROWN) +
    disc(7, 84, 3.4, YELLOW),
  crosier: () => band("M7 88V16C7 4 17 2 17 10 17 15 11 15 11 11", 2.6, YELLOW),
  spear: () =>
    pole(BROWN, 18) +
    shape("M7 0C11 6 12 12 9.5 18H4.5C2 12 3 6 7 0Z", STEEL) +
    shape("M3 20H11L13 27 7 24.5 1 27Z", RED),
  axe: () =>
    pole(BROWN, 3) +
    shape("M9 9C13 8 16 6 17 4 19 11 19 19 17 26 15 23 13 21 9 20Z", STEEL) +
    shape("M5 11 0 12V18L5 19Z", STEEL),
  rake: () => pole(BROWN, 8) + band("M-2 8H16", 3, BROWN) + line("M-1 9V17M4 9V17M10 9V17M15 9V17", 2.6),
  marotte: () =>
    pole(RED, 26) +
    shape("M2 20 -1 27 4 26 7 30 10 26 15 27 12 20Z", BLUE) +
    disc(7, 16, 6, SKIN) +
    dot(5, 15.5, 0.9) +
    dot(9.3, 15.5, 0.9) +
    line("M4.5 18.5Q7 20.5 9.5 18.5", 1) +
    shape("M1 14C-1 9 -2 6 -3 3 2 3 4 5 7 9 10 5 12 3 17 3 16 6 15 9 13 14 9 11 5 11 1 14Z", RED) +
    disc(-2.5, 3, 1.9, YELLOW) +
    disc(16.5, 3, 1.9, YELLOW),
  bow: () => line("M12 3V86", 1.1) + band("M12 2C-4 20 -2 34 5 45 -2 56 -4 72 12 87", 2.4, BROWN),
  oak: () =>
    pole(BROWN, 12) +
    disc(7, 9, 4.2, GREEN) +
    disc(2, 14, 3.6, GREEN) +
    disc(12, 14, 3.6, GREEN) +
    disc(7, 17, 3.4, GREEN) +
    shape("M4.5 4C4.5 0 9.5 0 9.5 4Z", YELLOW),
  distaff: () =>
    pole(BROWN, 4) +
    shape("M7 6C13 10 14 22 7 32 0 22 1 10 7 6Z", WHITE) +
    line("M2.5 15Q7 19 11.5 15M2.5 22Q7 26 11.5 22", 1.3, RED),
  flower: () =>
    band("M7 88C4 70 10 50 7 26", 2, GREEN) +
    shape("M7 48C0 46 -2 40 -2 36 4 37 7 42 7 48ZM8 40C14 38 16 33 16 29 11 30 8 35 8 40Z", GREEN) +
    shape(
      "M-1 14C1 16 3 17 4 19 3 13 5 9 7 7 9 9 11 13 10 19 11 17 13 16 15 14 16 22 12 27 7 27S-2 22 -1 14Z",
      RED,
    ),
  flag: () =>
    pole(BROWN, 4) + shape("M8.5 6C13 3 17 9 21 6V24C17 27 13 21 8.5 24Z", WHITE) + disc(7, 3, 2.6, YELLOW),
};

/** A staff, standing, with the hand that holds it in a cuff of a colour. */
export const staff = (kind: Staff, cuff: string): string =>
  STAVES[kind]() + fist(kind === "sword" ? 69 : 66, cuff);

const THINGS: Record<Thing, () => string> = {
  letter: () =>
    shape("M48 30 67 26 70 42 51 46Z", WHITE) +
    line("M48 30 60.5 37.5 67 26", 1.4) +
    disc(60.5, 38, 2.8, RED),
  scroll: () =>
    shape("M51 24H66V46H51Z", WHITE) +
    line("M54.5 31H62.5M54.5 35.5H62.5M54.5 40H60", 1.2) +
    shape("M49 21H68V26H49ZM49 44H68V49H49Z", WHITE),
  flute: () => band("M37 53 67 43", 3.6, YELLOW) + dot(52, 48, 0.9) + dot(56.5, 46.5, 0.9) + dot(61, 45, 0.9),
  cup: () =>
    shape("M51 28H67C67 38 63.5 42 61 43V47L65 51H53L57 47V43C54.5 42 51 38 51 28Z", YELLOW) +
    shape("M51 28Q59 24.5 67 28 59 31.5 51 28Z", RED) +
    line("M53.5 35H64.5", 1.3),
  tankard: () =>
    line("M66 32C73 31 73 44 66 43", 2.8) +
    shape("M51 30H66V49H51Z", STEEL) +
    shape("M49.5 30C48 25 53 22 56 24.5 59 20.5 64 22 64.5 25 69 25 69 30 66.5 31H51Z", WHITE) +
    line("M55 35V45M61 35V45", 1.2),
  horn: () =>
    band("M46 52C54 54 62 49 64 40", 4.6, BROWN) +
    shape("M59.5 39C58.5 33 60 29 63 26L73 31C70 34 69 37 68.5 41Z", YELLOW) +
    line("M52 50.5 53 55M58 47.5 61 51", 1.5, YELLOW),
  orb: () =>
    disc(59, 42, 8.5, BLUE) +
    line("M50.5 42H67.5M59 33.5V42", 2.6, YELLOW) +
    line("M59 23V33M54.5 27.5H63.5", 3),
  book: () =>
    shape("M48 31C52 28 56 29 59 32 62 29 66 28 70 31V47C66 44 62 45 59 48 56 45 52 44 48 47Z", RED) +
    shape(
      "M50 29.5C53.5 28 56.5 29 59 31.5 61.5 29 64.5 28 68 29.5V43.5C64.5 42 61.5 43 59 45.5 56.5 43 53.5 42 50 43.5Z",
      WHITE,
    ) +
    line("M59 32V45M52.5 33.5H56M52.5 37.5H56M62 33.5H65.5M62 37.5H65.5", 1.2),
  fan: () =>
    shape("M59 50 47 32C53 25 66 25 72 32Z", RED) +
    line("M59 49 52 28.5M59 49V27M59 49 66 28.5", 1.3) +
    line("M48.5 34.5Q59.5 27 70.5 34.5", 2, YELLOW),
  bird: () =>
    shape("M49 36C51 31 56 30 59 33 63 34 67 38 71 37 68 43 64 46 59 46 53 46 50 42 49 36Z", BLUE) +
    shape("M57 37C61 36 64 39 65 42 61 44 57 42 57 37Z", WHITE) +
    shape("M50 34 45.5 36.5 50 38Z", YELLOW) +
    dot(53, 35, 1.1),
  rose: () =>
    line("M59 54V40", 2.8, GREEN) +
    shape("M59 50C63 49 67 47 68 43 63 43 60 46 59 50Z", GREEN) +
    disc(59, 33, 8, RED) +
    line("M55 33C55 29 61 28 62.5 32 63.5 36 58 37.5 57.5 34", 1.4),
  mirror: () =>
    band("M59 47V56", 2.6, YELLOW) +
    shape("M59 24C66 24 69 30 68.5 36S64.5 47 59 47 50 42 49.5 36 52 24 59 24Z", YELLOW) +
    shape("M59 28C63 28 65 32 64.7 36S62.5 43.5 59 43.5 53.5 40 53.3 36 55 28 59 28Z", "#cfe3ee") +
    line("M56.5 36 60.5 31.5", 1.3, WHITE),
  pipe: () =>
    band("M37 52.5C45 56 50 60 56 60", 2, BROWN) +
    shape("M54 49H63V58C63 63 54 63 54 58Z", BROWN) +
    line("M58 45C55 41 62 39 59 34 56.5 30 62 28 60 24", 1.7, GREY),
};

/** A small thing in a hand: lifted beside the head, or held before the breast. */
export function held(kind: Thing, height: "high" | "low", cloth: string, cuff: string): string {
  const hand =
    shape("M54.5 54C54.5 50 57 49 60 49S65.5 50 65.5 54 63 59 60 59 54.5 58 54.5 54Z", SKIN) +
    line("M58 52.5V55.5M61.5 52.5V55.5", 1.1);
  const sleeve = shape("M54 59 65.5 57.5 66 63 55 64.5Z", cuff);
  if (height === "low") return moved("translate(0 24)", THINGS[kind](), hand, sleeve);
  return band("M49 80C60 80 62 72 60.5 62", 10, cloth) + sleeve + THINGS[kind]() + hand;
}

/** The hand on which a king holds the suit's sign. */
export const palm = (cloth: string, cuff: string): string =>
  band("M50 81C58 81 60 77 59 71", 9, cloth) +
  shape("M53 66.5 64 66.5 63.5 72 53.5 72Z", cuff) +
  shape("M49.5 60C52.5 62.5 62.5 62.5 66 60 67.5 64 63.5 67.5 58.5 67.5S48.5 64 49.5 60Z", SKIN);

/** A drum at the belt, its sticks in both hands, in sleeves of a colour. */
export const drum = (sleeve: string): string =>
  band("M10 84C4 80 3 74 7 66", 8, sleeve) +
  band("M60 84C66 80 68 72 64 63", 8, sleeve) +
  shape("M17 73V89H57V73Z", RED) +
  line("M17 76 23.5 87 30.5 76 37 87 43.5 76 50.5 87 57 76", 1.7, WHITE) +
  shape("M17 73C17 67.5 57 67.5 57 73S17 78.5 17 73Z", WHITE) +
  band("M7 60 31 72", 1.8, BROWN) +
  band("M64 57 42 71", 1.8, BROWN) +
  disc(31, 72, 1.6, BROWN) +
  disc(42, 71, 1.6, BROWN) +
  disc(7.5, 61, 5, SKIN) +
  disc(64, 58, 5, SKIN) +
  line("M6 58.5 9.5 63M62.5 60.5 66 56", 1.2);
