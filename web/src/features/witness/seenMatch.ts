// What this page has seen of the match at a table: its hands, all actions and the result, to compare them with the
// record at the end. Apart from the deals, since a match is seen by spectators, and without fair deals, too.
import type { EventInfo, RoomInfo, View } from "../../api/messages";
import { tabStorage } from "../../browser/tabStorage";

/** The hand of a seat, from which it follows how the pack was dealt. */
export interface Hand {
  seat: number;
  cards: readonly string[];
  dealer: number;
  /** The seats that were dealt cards. */
  playing: number[];
}

export type Note =
  /** Something may have been missed here. */
  | ["gap"]
  /** A pack, and the hand that was dealt from it; null if none was. */
  | ["pack", Hand | null]
  /** What is left of the hand when packs up to this number have been called. */
  | ["left", number, Hand]
  /** An action as its reader may know it: of a hidden one only a part. */
  | ["acted", number, string]
  /** The end of a round: nothing before it can be taken back. */
  | ["end"]
  /** The result. */
  | ["over", View["standing"], number[]];

/** The notes of a match as plain JSON, with the version of the table that they go up to. */
export interface MatchNotes {
  number: number;
  version: number;
  notes: Note[];
}

/** What is noted of a table. */
interface Table {
  version: number;
  room: RoomInfo;
  view: View | null;
}

/** Of so many earlier matches the notes are kept. */
const MAX_EARLIER = 8;

export class SeenMatch {
  #seen: MatchNotes = { number: 0, version: 0, notes: [] };
  #earlier: MatchNotes[] = [];
  readonly #storage;

  constructor(table: string) {
    this.#storage = tabStorage("seen", table);
    const [seen, ...earlier] = readNotes(this.#storage.get());
    if (seen) this.#seen = seen;
    this.#earlier = earlier;
  }

  /** The notes of a match; null if there are none. */
  of(number: number): MatchNotes | null {
    const all = [this.#seen, ...this.#earlier];
    return all.find((one) => one.number === number && one.notes.length > 0) ?? null;
  }

  /** Forgets an earlier match. */
  forget(number: number): void {
    this.#earlier = this.#earlier.filter((one) => one.number !== number);
    this.#store();
  }

  #store(): void {
    this.#storage.put(JSON.stringify([this.#seen, ...this.#earlier]));
  }

  /** Notes the state after an event and the one before; without an event the state is that of a snapshot. */
  note(before: Table | null, after: Table, event: EventInfo | null): void {
    const { room, view, version } = after;
    if (!view || room.number === 0) return;
    const { number, version: known } = this.#seen;
    if (event === null && number === room.number && known === version) return;
    if (number !== room.number) {
      if (number > 0 && this.#earlier.length < MAX_EARLIER) this.#earlier.push(this.#seen);
      const begins = event !== null && room.resumed === 0;
      this.#seen = { number: room.number, version, notes: begins ? [] : [["gap"]] };
    }
    this.#seen.version = version;
    const { notes } = this.#seen;
    if (event === null) missed(notes, room, view);
    else if (event.kind === "pack") {
      notes.push(["pack", before?.view?.phase === "deal" ? handOf(view) : null]);
    } else if (event.kind === "acted" && event.seat !== null && event.action !== null) {
      notes.push(["acted", event.seat, event.action]);
    } else if (event.kind === "undone") takeBack(notes, event.seat);
    if (room.phase !== "playing" && isPlay(notes.at(-1))) notes.push(["end"]);
    if (view.phase === "over" && notes.at(-1)?.[0] !== "over") {
      notes.push(["over", view.standing, view.winners]);
    }
    this.#store();
  }
}

/** Notes that something may have been missed. The last plays may have been taken back meanwhile, and nothing else. */
function missed(notes: Note[], room: RoomInfo, view: View): void {
  while (isPlay(notes.at(-1))) notes.pop();
  if (notes.at(-1)?.[0] !== "gap") notes.push(["gap"]);
  const hand = handOf(view);
  const next = (room.fair as { next_pack?: unknown } | null)?.next_pack;
  // Who has played their last card was dealt some, too.
  if (hand && typeof next === "number" && view.phase !== "trump") {
    notes.push(["left", next - 1, { ...hand, playing: [...room.seats.keys()] }]);
  }
}

/** Removes the last card that a seat played, and what bots have played since. */
function takeBack(notes: Note[], seat: number | null): void {
  for (let last = notes.at(-1); last && isPlay(last); last = notes.at(-1)) {
    notes.pop();
    if (last[1] === seat) return;
  }
}

const isPlay = (note: Note | undefined): boolean => note?.[0] === "acted" && note[2].startsWith("play ");

/** The hand of the reader; null for a spectator, and without cards. */
function handOf({ seat, dealer, hand, hand_sizes: sizes }: View): Hand | null {
  if (seat === null || dealer === null || !hand?.length) return null;
  return { seat, cards: hand, dealer, playing: sizes.flatMap((size, one) => (size > 0 ? [one] : [])) };
}

/** The stored notes, those of the last match first; none if they are invalid. */
function readNotes(text: string | null): MatchNotes[] {
  try {
    const all: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(all) && all.every(isNotes) ? all : [];
  } catch {
    return [];
  }
}

function isNotes(one: unknown): one is MatchNotes {
  const { number, version, notes } = Object(one) as Partial<MatchNotes>;
  return Number.isInteger(number) && Number.isInteger(version) && Array.isArray(notes);
}
