// What this page has seen of the match at a table, to compare it with the record at the end. What a state of the table
// shows is noted alike whether an event or a snapshot brought it, since the server decides which of them it sends.
import type { EventInfo, RoomInfo, View } from "../../api/messages";
import { tabStorage } from "../../browser/tabStorage";
import { showsClaims, shownIn } from "../../games/shownActions";

/** The hand of a seat. */
export interface Hand {
  seat: number;
  cards: readonly string[];
}

/** What a state of the table has shown. It belongs to a place in the log, after that of the note before. */
export interface Note {
  /** At most so many entries of the log are between the note before, or the beginning, and this one. */
  steps: number;
  /** The number of packs dealt; while one is awaited it may be decided already and is one of them, or none is. */
  packs: number;
  /** Whether a pack is awaited. */
  waits: boolean;
  /** The actions of `shown` that the state shows: all cards of the match, or the claims of a deal. */
  from: number;
  until: number;
  /** The last action of each seat besides cards since the last pack; null where `shown` has them all. */
  said: readonly (string | null)[] | null;
  /** The seats that have announced Weis; null if that is not shown now. */
  weis: readonly number[] | null;
  /** The reader's hand; null for a spectator, between rounds, and if it is not known any more. */
  hand: Hand | null;
  /** The number of cards that each seat has. */
  sizes: readonly number[];
  dealer: number | null;
  /** The cards drawn for a seat, in order: of each draw those of a pack. */
  drawn: readonly (readonly string[])[];
  /** The card turned up, and the suit of trumps. */
  trump: Turned;
  /** Who is to do what: it changes with every action. */
  turn: readonly unknown[] | null;
  result: { standing: View["standing"]; winners: number[] } | null;
}

export type Turned = readonly [card: string | null, suit: string | null];

/** The notes of a match as plain JSON. */
export interface MatchNotes {
  number: number;
  /** What the room has told of the match. */
  game: string;
  options: RoomInfo["options"];
  /** The version of the table that they go up to. */
  version: number;
  notes: Note[];
  /** All actions that were shown, see `shownIn`, also those of void rounds. */
  shown: string[];
  /** The void rounds (MV7). */
  voids: Range[];
  /** Whether states contradict each other, or the event that brought them. */
  contradicted: boolean;
  /** The largest number of cards that were taken back at once. */
  takenBack: number;
  /** How often cards were taken back while something was missed. */
  untold: number;
  /** So many actions are not taken back any more: what comes before a card that was taken back. */
  final: number;
  /** Whether states were passed over: earlier ones, as a spectator is shown with a delay. */
  passedOver: boolean;
  /** Whether there was no more space. */
  full: boolean;
}

/** The numbers of actions, the last one excluded. */
export type Range = [from: number, until: number];

/** What is noted of a table. */
interface Table {
  version: number;
  seat: number | null;
  room: RoomInfo;
  view: View | null;
  said: readonly (string | null)[];
}

/** Of so many earlier matches the notes are kept. */
const MAX_EARLIER = 8;
/** The notes of a match have at most so many characters; those of a long one have a tenth of that. */
const MAX_SIZE = 200_000;
/** A void round has at least so many steps: a pack and the cards of a round. Before and after it the same is shown. */
const VOID_ROUND = 36;
/** More steps than any match has. */
const ANY_STEPS = 1e9;

const notesOf = ({ number, game, options }: Told, version: number): MatchNotes => ({
  number,
  game,
  options,
  version,
  notes: [],
  shown: [],
  voids: [],
  contradicted: false,
  takenBack: 0,
  untold: 0,
  final: 0,
  passedOver: false,
  full: false,
});

type Told = Pick<MatchNotes, "number" | "game" | "options">;

export class SeenMatch {
  #seen = notesOf({ number: 0, game: "", options: {} }, 0);
  /** The same as text, as it was stored last. */
  #text = "";
  #earlier: MatchNotes[] = [];
  readonly #storage;

  constructor(table: string) {
    this.#storage = tabStorage("seen", table);
    const [seen, ...earlier] = readNotes(this.#storage.get());
    if (seen) this.#seen = seen;
    this.#text = JSON.stringify(this.#seen);
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
    const text = JSON.stringify(this.#seen);
    if (text.length <= MAX_SIZE) this.#text = text;
    else {
      this.#seen = { ...(JSON.parse(this.#text) as MatchNotes), full: true };
      this.#text = JSON.stringify(this.#seen);
    }
    this.#storage.put(`[${[this.#text, ...this.#earlier.map((one) => JSON.stringify(one))].join()}]`);
  }

  /** Notes a state and the event that led to it; null for that of a snapshot. Nothing without verifiable deals. */
  note(table: Table, event: EventInfo | null): void {
    const { room, view, version } = table;
    if (!view || !room.fair) return;
    // What is shown belongs to a match, also if it is said not to have begun.
    const number = room.number || 1;
    const begins = this.#seen.number !== number;
    if (begins) {
      if (this.#seen.number > 0 && this.#earlier.length < MAX_EARLIER) this.#earlier.push(this.#seen);
      this.#seen = notesOf({ ...room, number }, version);
      this.#text = JSON.stringify(this.#seen);
    }
    const seen = this.#seen;
    if (seen.full) return;
    let steps = version - seen.version;
    // An event that begins a match comes before all entries of the log, and each of them with one of these events.
    if (begins) steps = event ? 0 : ANY_STEPS;
    else if (event && steps === 1) steps = Number(event.kind === "acted" || event.kind === "pack");
    if (steps < 0 && table.seat === null) seen.passedOver = true;
    else {
      seen.version = version;
      add(seen, noteOf(seen, table, view, room.fair.next_pack - 1), view, event, Math.max(steps, 0));
    }
    this.#store();
  }
}

/** The note of a state, before it is placed among the actions shown. */
function noteOf({ notes }: MatchNotes, { seat, room, said }: Table, view: View, packs: number): Note {
  const last = notes.at(-1);
  // Whoever may act does not wait, and the end is shown as the room says.
  const waits = view.needs_pack && view.to_act.length === 0;
  const over = view.over || room.phase === "over";
  const claims = showsClaims(view);
  const announced = "announced" in view ? (view.announced as { seat: number }[]) : [];
  const round = view.rounds.at(-1);
  const draws = round && "draw" in round ? (round.draw as [number, string][][]) : [];
  return {
    steps: 0,
    packs,
    waits,
    from: claims ? (last?.from ?? 0) : 0,
    until: 0,
    said: claims ? null : said,
    weis: waits || over ? null : announced.map(({ seat }) => seat),
    hand: seat === null || ((waits || over) && !view.hand?.length) ? null : { seat, cards: view.hand ?? [] },
    sizes: view.hand_sizes,
    dealer: view.dealer,
    drawn: [view.draw ?? [], draws.flat()].map((drawn) => drawn.map(([, card]) => card)),
    trump: ["shown" in view ? (view.shown as string | null) : null, view.trump],
    turn: [view.phase, view.to_act],
    result: over ? { standing: view.standing, winners: view.winners } : null,
  };
}

/** Adds a note of a state with the actions that it shows. */
function add(seen: MatchNotes, note: Note, view: View, event: EventInfo | null, steps: number): void {
  const shown = shownIn(view);
  const finished = view.tricks.reduce(
    (left, { cards }) => left - cards.length,
    shown.length - view.trick.length,
  );
  const known = shownAt(seen.voids, note.from, seen.shown.length);
  const dealt = !note.waits && seen.notes.findLast(({ waits }) => !waits)?.packs !== note.packs;
  const first = known[finished];
  if (note.said && first !== undefined && (note.waits ? shown.length === finished : dealt)) {
    // A round that is not shown among those finished is void; its last card was never shown.
    seen.voids.push([first, seen.shown.push("")]);
    known.length = finished;
  } else if (event?.kind === "acted" && event.action?.startsWith("play ")) {
    const played = `${event.seat} ${event.action.slice(0, 7)}`;
    if (shown.length !== known.length + 1 || shown.at(-1) !== played) seen.contradicted = true;
  }
  const differs = known.findIndex((at, place) => !isSameAction(seen.shown[at] ?? "", shown[place]));
  const kept = known[differs];
  if (note.said === null && (kept !== undefined || dealt)) note.from = seen.shown.length;
  else if (kept !== undefined) takeBack(seen, note, kept, event, steps > 1 ? null : shown.length > differs);
  const places = shownAt(seen.voids, note.from, seen.shown.length);
  for (const [place, one] of shown.entries()) {
    const at = places[place] ?? seen.shown.length;
    const old = seen.shown[at] ?? "";
    seen.shown[at] = old.length > one.length ? old : one;
  }
  note.until = seen.shown.length;
  const { notes } = seen;
  const [before, last] = [notes.at(-2), notes.at(-1)];
  if (last && isLike(last, note, []) && !(note.waits && steps >= VOID_ROUND)) return;
  note.steps = steps;
  // Cards alone, one after the other, are noted together.
  const joins = last && before && isLike(before, last, CARDS) && isLike(last, note, CARDS);
  if (joins && isCardsOnly(before, last) && isCardsOnly(last, note)) {
    note.steps += last.steps;
    notes.pop();
  }
  notes.push(note);
}

/** What may differ where nothing but cards has been played. */
const CARDS: readonly (keyof Note)[] = ["steps", "until", "sizes", "turn"];

/** Whether two notes are the same except in some parts, of which the steps are always one. */
function isLike(one: Note, other: Note, except: readonly (keyof Note)[]): boolean {
  const text = (note: Note): string =>
    JSON.stringify({
      ...note,
      steps: 0,
      packs: note.waits || note.packs,
      ...Object.fromEntries(except.map((key) => [key, 0])),
    });
  return text(one) === text(other);
}

const isCardsOnly = (before: Note, note: Note): boolean => note.steps === note.until - before.until;

/**
 * Takes cards back, all but the first ones. Only cards are, never past a pack, nor what was before other ones that were
 * taken back (`undo_state`). `plays`: whether others are shown in their place; null if something was missed.
 */
function takeBack(
  seen: MatchNotes,
  now: Note,
  kept: number,
  event: EventInfo | null,
  plays: boolean | null,
): void {
  if ((event && event.kind !== "undone") || plays || kept < seen.final) seen.contradicted = true;
  if (plays === null) seen.untold += 1;
  else seen.final = kept;
  seen.takenBack = Math.max(seen.takenBack, seen.shown.length - kept);
  let before = 0;
  seen.notes = seen.notes.filter((note) => {
    const { until } = note;
    const gone = until - Math.max(before, kept);
    before = until;
    if (until <= kept) return true;
    if (note.waits || note.packs !== now.packs || note.result) seen.contradicted = true;
    Object.assign(note, {
      steps: Math.max(note.steps - gone, 0),
      until: kept,
      weis: null,
      hand: null,
      turn: null,
    });
    return note.steps > 0;
  });
  seen.shown.length = kept;
}

/** The numbers of the actions in a range that are still shown at its end: those of no void round. */
export function shownAt(voids: readonly Range[], from: number, until: number): number[] {
  const found: number[] = [];
  for (let at = from; at < until; at += 1) {
    if (!voids.some(([first, end]) => first <= at && at < end && end <= until)) found.push(at);
  }
  return found;
}

/** Whether two texts are of one action: the cards laid follow a line once they are known. */
export const isSameAction = (one: string, other = ""): boolean =>
  one === other || one.startsWith(`${other}|`) || other.startsWith(`${one}|`);

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
  const { number, version, game, ...lists } = Object(one) as Partial<MatchNotes>;
  const { notes, shown, voids } = lists;
  return (
    typeof game === "string" &&
    [number, version].every(Number.isInteger) &&
    [notes, shown, voids].every(Array.isArray)
  );
}
