// The pictures of both decks: people, banners and aces. A picture is one half of a card, upright; the
// card shows it twice.
import { SUITS, type Rank, type Suit } from "../src/cards/cards";
import { hasPicture } from "./card";
import { FRENCH_CAST, SWISS_CAST, type Court } from "./cast";
import { FIELD, halfId, signId } from "./layout";
import { BROWN, GREEN, LIVERY, WHITE, YELLOW, type Drawing } from "./palette";
import { portrait, type SignPlace } from "./person";
import { band, disc, drawn, line, moved, plain, shape } from "./svg";

/** Where Swiss people have the sign; French ones have it at their heads. */
const PLACES: Record<Court, SignPlace> = { J: "low", Q: "high", K: "palm" };

/** One half of the picture of a card. */
export function half(drawing: Drawing, rank: Rank, suit: Suit): string {
  const sign = `#${signId(drawing, suit)}`;
  switch (rank) {
    case "A":
      return inField(ace(drawing, suit, sign));
    case "T":
      return inField(banner(suit, sign));
    case "J":
    case "Q":
    case "K":
      return inField(court(drawing, suit, rank, sign));
    default:
      throw new Error(`a ${rank} has pips, no picture`);
  }
}

/** The halves of all pictures of a deck, each under its id, for `<defs>`. */
export function halves(drawing: Drawing): string {
  const ranks = [..."TJQKA"] as Rank[];
  return SUITS.flatMap((suit) =>
    ranks
      .filter((rank) => hasPicture(drawing, rank))
      .map((rank) => `<g id="${halfId(drawing, rank + suit)}">${half(drawing, rank, suit)}</g>`),
  ).join("");
}

const inField = (shapes: string): string => moved(`translate(${FIELD.x} ${FIELD.y})`, shapes);

function court(drawing: Drawing, suit: Suit, rank: Court, sign: string): string {
  const swiss = drawing === "swiss";
  const who = (swiss ? SWISS_CAST : FRENCH_CAST)[suit][rank];
  return portrait(who, LIVERY[drawing][suit], swiss ? PLACES[rank] : "high", sign);
}

/** A flag on its pole. */
function banner(suit: Suit, sign: string): string {
  const { cloth, second, trim } = LIVERY.swiss[suit];
  const flag = "M11 14C25 7 38 20 67 12L60 36 67 68C44 76 30 62 11 70Z";
  return (
    drawn(
      band("M9 8V86", 3, BROWN),
      shape("M9 -1 13 8H5Z", YELLOW),
      shape(flag, cloth),
      plain("M11.8 15C25 8 38 20.5 66 13L64.5 19C38 26 25 14 11.8 21.5Z", second),
      plain("M11.8 64C30 56 44 69 66 62L67 67.5C44 75 30 61 11.8 69Z", second),
      line(flag),
      line("M11 21.5C25 14 38 26 65 19M11 63.5C30 55.5 44 69 66 61.5", 1.2, trim),
      disc(36, 41, 18, WHITE),
    ) + `<use href="${sign}" x="22.5" y="27.5" width="27" height="27"/>`
  );
}

/** A large sign between two sprigs. */
function ace(drawing: Drawing, suit: Suit, sign: string): string {
  const { second, trim } = LIVERY[drawing][suit];
  const colour = drawing === "swiss" ? GREEN : trim;
  const sprig =
    line("M36 82C25 81 15 74 11 62") + SPRIG.map(([x, y, turn]) => leaf(x, y, turn, colour)).join("");
  return (
    `<use href="${sign}" x="10" y="6" width="52" height="52"/>` +
    drawn(sprig, moved(`translate(${FIELD.width} 0) scale(-1 1)`, sprig), disc(36, 81, 3.4, second))
  );
}

/** The leaves of a sprig: where each begins and where it points. */
const SPRIG: readonly [x: number, y: number, turn: number][] = [
  [11, 63, -98],
  [13, 68, -160],
  [15.5, 71.5, -50],
  [19.5, 75, -172],
  [23.5, 78, -42],
];

const leaf = (x: number, y: number, turn: number, colour: string): string =>
  moved(`translate(${x} ${y}) rotate(${turn})`, shape("M0 0C3 -4 7 -4 9.5 0 7 4 3 4 0 0Z", colour));
