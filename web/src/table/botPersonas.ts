// Names and faces of the bots at a table. Both are derived from the table's id and a number alone,
// initially that of the seat, so that everybody sees the same.
import { hashText } from "../browser/hashText";
import type { RoomInfo, SeatInfo } from "../api/messages";

/** The data from which names are derived, at a table or in a finished match. */
export interface Seated {
  table: RoomInfo["table"];
  seats: readonly Pick<SeatInfo, "kind" | "name" | "left" | "character" | "program">[];
}

interface Character {
  name: string;
  /** See `settings/avatars.ts`. */
  face: string;
}

/** Short first names from all parts of Switzerland; consecutive ones are from different parts. */
const CHARACTERS: readonly Character[] = [
  { name: "Vreni", face: "0u4---0" },
  { name: "Margot", face: "1o0b--3" },
  { name: "Beppe", face: "2s0--m2" },
  { name: "Ladina", face: "0p2---1" },
  { name: "Köbi", face: "0b4--f5" },
  { name: "Gaston", face: "1r5b-m1" },
  { name: "Gina", face: "2c0---6" },
  { name: "Flurin", face: "1s2f--2" },
  { name: "Heidi", face: "0p3---0" },
  { name: "Lucie", face: "1o6-g-3" },
  { name: "Nino", face: "2c1---4" },
  { name: "Seraina", face: "1l1---2" },
  { name: "Ueli", face: "0s3s-f1" },
  { name: "Marcel", face: "1b5-g-5" },
  { name: "Pina", face: "2u5t--6" },
  { name: "Gian", face: "1r0--g2" },
  { name: "Rösli", face: "0c4-g-6" },
  { name: "Fernand", face: "0s4--m3" },
  { name: "Trudi", face: "1u5t--0" },
  { name: "Odile", face: "0l5---4" },
  { name: "Sepp", face: "1s1f-f2" },
  { name: "Bethli", face: "0o2---1" },
  { name: "Hausi", face: "0r6c--4" },
  { name: "Godi", face: "1b4--m1" },
];

/** The first word of a name without case and accents, to compare names that look alike. */
function alike(name: string): string {
  const bare = name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return bare.split(/[\s-]/)[0] ?? "";
}

/**
 * The personas of the bots by seat; null for other seats, and for a bot that plays on in the name of a
 * person who left. No two personas at a table share a name, and none has the name of a person there.
 */
export function botPersonas({ table, seats }: Seated): (Character | null)[] {
  const first = hashText(table);
  const order = CHARACTERS.map((_, index) => CHARACTERS[(first + index) % CHARACTERS.length] as Character);
  const people = new Set(
    seats.filter(({ kind, left }) => kind === "person" || left).map(({ name }) => alike(name)),
  );
  const free = order.filter(({ name }) => !people.has(alike(name)));
  // Bots get names before people sit down, so that newcomers rename as few of them as possible.
  const own = order.slice(0, seats.length);
  const others = free.filter((one) => !own.includes(one));
  const found: (Character | null)[] = seats.map(() => null);
  const computers = seats
    .map(({ kind, left, character }, seat) => ({
      seat,
      number: character ?? seat,
      plays: kind === "computer" && !left,
    }))
    .filter(({ plays }) => plays)
    .sort((a, b) => a.number - b.number);
  for (const { seat, number } of computers) {
    const one = own[number] as Character;
    found[seat] = free.includes(one) ? one : (others.shift() ?? one);
  }
  return found;
}
