// Compares a record with what this page has seen of its match. The page does not know the rules: `jasstisch verify`
// checks that the play followed from the packs.
import { dealingOf, type Dealing } from "../../games/dealing";
import type { Hand, MatchNotes, Note } from "./seenMatch";

/** The parts of a record needed here. */
export interface PlayedMatch {
  game: string;
  options: Record<string, unknown>;
  log: unknown[];
  result: unknown;
}

/**
 * Compares the hands, actions and the result of a record with the notes of a match. Returns null if they agree, else the
 * number of the pack that was dealt otherwise, or 0 for another difference.
 */
export function compareMatch(
  { notes }: MatchNotes,
  { game, options, log, result }: PlayedMatch,
): number | null {
  const packs = log.flatMap((entry) => packIn(entry) ?? []);
  const dealing = dealingOf(game);
  for (const note of notes) {
    if (note[0] === "left" && dealing?.shrinks) {
      const pack = note[1] - dealing.drawn(options);
      if (!isLeft(note[2], packs[pack - 1], dealing)) return pack;
    }
    const differs =
      note[0] === "over" && canonical({ standing: note[1], winners: note[2] }) !== canonical(result);
    if (differs) return 0;
  }
  let from = 0;
  for (const [place, run] of runsOf(notes).entries()) {
    // What may have been missed before a run can be of any length; before the first one is nothing.
    const end = endOf(run, log, from, place === 0 ? 0 : log.length, game);
    if (end === null) return 0;
    from = end;
  }
  return null;
}

/** What was seen without a gap; the first run begins with the match. */
function runsOf(notes: readonly Note[]): Note[][] {
  const runs: Note[][] = [[]];
  for (const note of notes) {
    if (note[0] === "gap") runs.push([]);
    else runs.at(-1)?.push(note);
  }
  return runs;
}

/** Where a run ends in the log that begins at an entry from one up to another; null if it fits nowhere. */
function endOf(run: Note[], log: unknown[], from: number, last: number, game: string): number | null {
  for (let start = from; start <= Math.max(from, last); start += 1) {
    let at = start;
    const fits = run.every((note) => {
      const taken = lengthIn(note, log, at, game);
      at += taken ?? 0;
      return taken !== null;
    });
    if (fits) return at;
  }
  return null;
}

/** How many entries of the log a note stands for, 0 or 1; null if it does not fit there. */
function lengthIn(note: Note, log: unknown[], at: number, game: string): 0 | 1 | null {
  const entry = log[at];
  switch (note[0]) {
    case "pack": {
      const pack = packIn(entry);
      return pack && (note[1] === null || isDealt(note[1], pack[0] ?? [], game)) ? 1 : null;
    }
    case "acted":
      return Array.isArray(entry) && entry[0] === note[1] && isSame(note[2], String(entry[1])) ? 1 : null;
    case "over":
      return at === log.length ? 0 : null;
    default:
      return 0;
  }
}

/** Whether an action in a record may be the one that was seen, of which a part may be hidden. */
function isSame(seen: string, action: string): boolean {
  if (seen === action) return true;
  if (seen === "bid") return action.startsWith("bid ");
  // `lay 3C 7D KD as J` is told to others as `lay 3 as J`.
  const [, laid = "", rank = ""] = /^lay (.*) as (.)$/.exec(action) ?? [];
  return laid !== "" && seen === `lay ${laid.split(" ").length} as ${rank}`;
}

/** The cards of the pack in an entry of a log, in a list of one; null if it is none. */
function packIn(entry: unknown): [string[]] | null {
  return Array.isArray(entry) && entry[0] === "pack" ? [String(entry[1]).split(" ")] : null;
}

/** The cards that the seat of a hand is dealt from a pack, and those dealt to nobody; null for no such deal. */
function deal(
  { packets }: Dealing,
  { seat, dealer, playing }: Hand,
  pack: string[],
  size: number,
): string[][] | null {
  // Forehand, the seat after the dealer, receives first.
  const order = [...playing.filter((one) => one > dealer), ...playing.filter((one) => one <= dealer)];
  const own = order.indexOf(seat);
  let front = 0;
  const cards = packets(size)?.flatMap((packet) => {
    const first = front + own * packet;
    front += order.length * packet;
    return pack.slice(first, first + packet);
  });
  return cards ? [cards, pack.slice(front)] : null;
}

/**
 * Whether this hand is dealt from a pack; true if it is not known how the game is dealt. The first player may have
 * drawn further cards already, from those dealt to nobody (ID5).
 */
function isDealt(hand: Hand, pack: string[], game: string): boolean {
  const dealing = dealingOf(game);
  if (!dealing) return true;
  const size = Math.min(hand.cards.length, sizeOf(hand, pack));
  const [cards, rest] = deal(dealing, hand, pack, size) ?? [];
  if (!cards || !rest) return false;
  const drawn = hand.cards.filter((card) => !cards.includes(card));
  return cards.every((card) => hand.cards.includes(card)) && drawn.every((card) => rest.includes(card));
}

/** Whether what was left of a hand is dealt from a pack. */
function isLeft(hand: Hand, pack: string[] | undefined, dealing: Dealing): boolean {
  const [cards = []] = (pack && deal(dealing, hand, pack, sizeOf(hand, pack))) ?? [];
  return hand.cards.every((card) => cards.includes(card));
}

/** The size of the hands where each seat is dealt as many cards as there are for all. */
const sizeOf = ({ playing }: Hand, pack: string[]): number => Math.floor(pack.length / playing.length);

/** A value as JSON with its keys in order, to compare it. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}
