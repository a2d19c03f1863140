// What people wear: from the shoulders down to the belt that both halves of a card share.
import { BLACK, INK, SKIN, STEEL, WHITE, YELLOW, type Livery } from "./palette";
import { band, disc, dot, line, plain, shape } from "./svg";

export type Dress =
  | "halved"
  | "slashed"
  | "ermine"
  | "doublet"
  | "armour"
  | "herdsman"
  | "robe"
  | "gown"
  | "laced"
  | "motley"
  | "ruff"
  | "apron";

const BODY = "M3 89C3 77 8 70 17 67L25 63.5Q33 69 41 63.5L49 67C58 70 63 77 63 89Z";
const LEFT_HALF = "M3 89C3 77 8 70 17 67L25 63.5Q29 66 33 66.5V89Z";
const NECK = shape("M27 55V64Q33 70 39 64V55Z", SKIN);
const SLEEVES = "M3 89C3 77 8 70 17 67L19 89ZM63 89C63 77 58 70 49 67L47 89Z";

/** The dress of a kind, in the colours of its suit. */
export function dress(kind: Dress, { cloth, second, trim }: Livery): string {
  switch (kind) {
    case "halved":
      return (
        NECK +
        shape(BODY, cloth) +
        plain(LEFT_HALF, second) +
        line(BODY) +
        line("M33 68V88") +
        shape("M22 63 33 72 44 63 47 68 33 79 19 68Z", trim) +
        dot(33, 83, 1.8)
      );
    case "slashed":
      return (
        NECK +
        shape(BODY, cloth) +
        shape(SLEEVES, second) +
        line("M9 76 14 90M14 72 18 88M57 76 52 90M52 72 48 88", 3, trim) +
        shape("M24 64Q33 71 42 64L44 69Q33 77 22 69Z", WHITE) +
        dot(33, 79, 1.7, trim) +
        dot(33, 85, 1.7, trim)
      );
    case "ermine":
      return (
        shape(BODY, cloth) +
        shape("M27 66 26 89H40L39 66Z", second) +
        line("M33 76V90", 1.4, trim) +
        shape(
          "M24 61C14 65 6 70 4 78 11 86 24 84 33 78 42 84 55 86 62 78 60 70 52 65 42 61 38 68 28 68 24 61Z",
          WHITE,
        ) +
        [
          [12, 76],
          [20, 73],
          [20, 80],
          [28, 75],
          [38, 75],
          [46, 73],
          [46, 80],
          [54, 76],
        ]
          .map(([x, y]) => plain(`M${x} ${(y ?? 0) - 2}l1.4 4.2h-2.8Z`, INK))
          .join("")
      );
    case "doublet":
      return (
        NECK +
        shape(BODY, cloth) +
        line("M14 76Q16 84 15 89M52 76Q50 84 51 89") +
        shape("M24 63 33 71 42 63 46 67 37 75 33 72 29 75 20 67Z", WHITE) +
        [76, 81, 86].map((y) => dot(33, y, 1.8, trim)).join("") +
        line("M27 76V89M39 76V89", 1.6, trim)
      );
    case "armour":
      return (
        shape(BODY, second) +
        shape("M14 89C14 78 20 70 25 66Q33 72 41 66C46 70 52 78 52 89Z", STEEL) +
        line("M33 71V90", 1.4) +
        shape("M3 82C3 74 9 68 18 66 21 72 18 80 15 84ZM63 82C63 74 57 68 48 66 45 72 48 80 51 84Z", STEEL) +
        line("M5 78Q11 74 17 78M61 78Q55 74 49 78", 1.3) +
        shape("M22 62Q33 69 44 62V68Q33 75 22 68Z", cloth)
      );
    case "herdsman":
      return (
        NECK +
        shape(BODY, WHITE) +
        shape("M16 68 25 63.5 30 73 29 89H17ZM50 68 41 63.5 36 73 37 89H49Z", BLACK) +
        shape("M3 84C3 75 8 70 16 68L18 80Q11 86 3 84ZM63 84C63 75 58 70 50 68L48 80Q55 86 63 84Z", WHITE) +
        line("M6 80Q11 80 16 76M60 80Q55 80 50 76", 1.3) +
        line("M20.5 70 22 90M45.5 70 44 90", 2, cloth) +
        dot(24, 78, 1.8, YELLOW) +
        dot(42, 78, 1.8, YELLOW) +
        shape("M27 64 33 70 39 64 41 68 33 76 25 68Z", cloth)
      );
    case "robe":
      return (
        NECK +
        shape(BODY, cloth) +
        shape("M20 65 25 63 33 80 41 63 46 65 37 89H29Z", trim) +
        shape("M25 63.5 33 77 41 63.5Q33 69 25 63.5Z", WHITE) +
        line("M13 74Q16 82 14 89M53 74Q50 82 52 89")
      );
    case "gown":
      return (
        shape("M25 64Q33 69 41 64L46 66V78H20V66Z", SKIN) +
        plain("M27 55H39V66H27Z", SKIN) +
        line("M27 58V64M39 58V64") +
        shape("M3 89C3 77 8 70 19 66L21 75Q33 82 45 75L47 66C58 70 63 77 63 89Z", cloth) +
        line("M21 74.5Q33 81.5 45 74.5", 3, trim) +
        line("M25 64.5Q33 74 41 64.5", 1.6) +
        disc(33, 71, 2.4, trim) +
        shape("M29 89 31 80H35L37 89Z", second)
      );
    case "laced":
      return (
        shape("M25 64Q33 69 41 64L46 66V80H20V66Z", WHITE) +
        NECK +
        shape("M3 89C3 77 8 70 18 66.5L20 89ZM63 89C63 77 58 70 48 66.5L46 89Z", WHITE) +
        shape("M18 66.5 24 64 28 78H38L42 64 48 66.5 50 89H16Z", cloth) +
        line("M28 82 38 87M38 82 28 87", 1.6, trim) +
        line("M24 64.5 28 78H38L42 64.5", 2.6, trim)
      );
    case "motley":
      return (
        NECK +
        shape(BODY, cloth) +
        plain(LEFT_HALF, second) +
        line(BODY) +
        shape("M14 66 24 61 33 66 42 61 52 66 53 73 46 71 42 79 36 73 33 82 30 73 24 79 20 71 13 73Z", trim) +
        [
          [13, 74.5],
          [24, 80.5],
          [33, 83.5],
          [42, 80.5],
          [53, 74.5],
        ]
          .map(([x, y]) => disc(x ?? 0, y ?? 0, 2.4, YELLOW))
          .join("")
      );
    case "ruff":
      return (
        shape(BODY, cloth) +
        line("M19 74 21 89M47 74 45 89M33 74V89", 2.4, trim) +
        shape(
          "M15 63C14 58 19 57 21 59 24 56 29 58 33 60 37 58 42 56 45 59 47 57 52 58 51 63 54 67 50 71 46 70 43 74 38 73 33 71 28 73 23 74 20 70 16 71 12 67 15 63Z",
          WHITE,
        ) +
        line("M21 60 24 69M28 60 29 70M38 60 37 70M45 60 42 69", 1.2)
      );
    case "apron":
      return (
        NECK +
        shape(BODY, second) +
        shape("M20 89V72L26 66Q33 72 40 66L46 72V89Z", WHITE) +
        band("M20 74 18 68M46 74 48 68", 2.4, WHITE) +
        line("M12 76Q14 84 13 89M54 76Q52 84 53 89") +
        shape("M24 63 33 72 42 63 45 67 33 77 21 67Z", cloth)
      );
  }
}
