// A person of a court card: who it is, put together from face, hair, dress and what it holds.
import { dress, type Dress } from "./dress";
import { hat, type Hat } from "./hats";
import { beard, hair, HAIR, head, type Beard, type Face, type Hair } from "./heads";
import { WHITE, type Livery } from "./palette";
import { dot, drawn } from "./svg";
import { drum, held, palm, staff, type Staff, type Thing } from "./things";

export interface Person {
  face: Face;
  hair: Hair;
  hairColour: keyof typeof HAIR;
  beard?: Beard;
  hat?: Hat;
  /** Colours of the hat where they are not the dress's. */
  hatColours?: [cloth: string, trim: string];
  dress: Dress;
  staff?: Staff;
  holds?: Thing;
  drum?: boolean;
}

/** Where the sign of the suit is: high for an Ober, on a king's hand, low for an Under. */
export type SignPlace = "high" | "palm" | "low";

const SIGN_SIZE = 25;
const SIGNS: Record<SignPlace, { x: number; y: number }> = {
  high: { x: 57.5, y: 14.5 },
  palm: { x: 57.5, y: 47.5 },
  low: { x: 56.5, y: 71.5 },
};
/** The low sign of one who holds something on the usual side. */
const OTHER_SIDE = { x: 15, y: 71.5 };

/** The person in the field of its half, from the top of the hat down to the belt. */
export function portrait(who: Person, livery: Livery, place: SignPlace, href: string): string {
  const { back, front } = hair(who.hair, HAIR[who.hairColour]);
  const [cloth, trim] = who.hatColours ?? [livery.cloth, livery.trim];
  const high = place !== "high";
  return drawn(
    back,
    dress(who.dress, livery),
    head(who.face),
    who.beard ? beard(who.beard, HAIR[who.hairColour]) : "",
    front,
    who.hat ? hat(who.hat, cloth, trim) : "",
    who.staff ? staff(who.staff, livery.trim) : "",
    who.holds ? held(who.holds, high ? "high" : "low", livery.cloth, livery.trim) : "",
    who.drum ? drum(livery.second) : "",
    place === "palm" ? palm(livery.cloth, WHITE) : "",
    signOf(place === "low" && who.holds ? OTHER_SIDE : SIGNS[place], livery, href),
  );
}

/** The sign of the suit, cut out of the shapes behind it. */
const signOf = ({ x, y }: { x: number; y: number }, { ground }: Livery, href: string): string =>
  dot(x, y, SIGN_SIZE / 2 + 1, ground) +
  `<use href="${href}" x="${x - SIGN_SIZE / 2}" y="${y - SIGN_SIZE / 2}" width="${SIGN_SIZE}" height="${SIGN_SIZE}" stroke="none"/>`;
