// Compares a record with what this page has seen of its match. The page does not know the rules: `jasstisch verify`
// checks that the play followed from the packs.
import { dealingOf, type Dealing } from "../../games/dealing";
import { isSameAction, shownAt, type Hand, type MatchNotes, type Note, type Range } from "./seenMatch";

/** The parts of a record needed here. */
export interface PlayedMatch {
  game: string;
  options: Record<string, unknown>;
  players: unknown[];
  log: unknown[];
  result: unknown;
}

/** The `same` match as was seen, or `partly` because some of it was not seen, or an `other` one. */
export type Comparison = "same" | "partly" | "other";

/** A place in the log of a record: what a view would show there. */
interface Place {
  /** The number of packs dealt. */
  packs: number;
  /** The place after the last pack. */
  since: number;
  /** The numbers of actions that a view shows: up to the last pack, and up to here. */
  from: number;
  until: number;
  /** The rounds that were played before it. */
  rounds: number;
  /** The number of packs since the last action before it. */
  further: number;
  /** The last action of each seat besides cards since the last pack. */
  said: Readonly<Record<number, string>>;
  /** The seats that have announced Weis since the last pack. */
  weis: readonly number[];
}

interface Played {
  record: PlayedMatch;
  /** Null for a game of another package. */
  dealing: Dealing | null;
  packs: string[][];
  /** The actions as `shownIn` has them. */
  shown: string[];
  /** The void rounds (MV7). */
  voids: Range[];
  places: Place[];
}

/** An honest server has hardly one, and a dishonest one could explain any play away with enough of them. */
const MAX_UNTOLD = 3;

/** Compares a record with the states that were noted: each belongs to a place in its log, one after the other. */
export function compareMatch(seen: MatchNotes, record: PlayedMatch): Comparison {
  if (record.game !== seen.game || canonical(record.options) !== canonical(seen.options)) return "other";
  const played = read(record);
  // The last card of a person, and those of computers after it (`undo_state`).
  const mostTakenBack = 2 * record.players.length - 1;
  if (played.dealing && (seen.contradicted || seen.takenBack > mostTakenBack)) return "other";
  const { places } = played;
  let partly = isUnclear(seen, played) || seen.contradicted || seen.passedOver || seen.untold > MAX_UNTOLD;
  let reached = [0];
  const deals: Deal[] = [];
  for (const note of seen.notes) {
    const before = places[reached[0] ?? 0];
    reached = after(reached, note.steps, places.length).filter((at) => fits(note, at, seen, played));
    const now = places[reached.at(-1) ?? 0];
    if (!before || !now || reached.length === 0) return "other";
    if (!note.waits && !note.result && now.packs > 0) {
      const deal = deals.at(-1);
      if (deal && !followsDeal(deal, note, now, played)) return "other";
      if (deal?.packs !== now.packs) deals.push({ packs: now.packs, note });
    }
    // What was missed of a deal its later states show, but not that of others.
    if (note.steps > 1 && now.packs > before.packs) partly = true;
  }
  return partly || reached.at(-1) !== record.log.length ? "partly" : "same";
}

/** The first state that was noted of a deal. */
interface Deal {
  packs: number;
  note: Note;
}

/** Whether the dealer and what is turned up stay for a deal; and whether the next seat deals then that is in the match. */
function followsDeal({ packs, note: first }: Deal, note: Note, now: Place, { dealing }: Played): boolean {
  if (packs === now.packs) {
    const stays = !dealing?.turned || canonical(note.trump) === canonical(first.trump);
    return stays && note.dealer === first.dealer;
  }
  if (!dealing?.drops || packs !== now.packs - 1 || !note.hand || first.dealer === null) return true;
  const seats = dealtTo(note);
  return note.dealer === (seats.find((seat) => seat > (first.dealer as number)) ?? seats[0]);
}

/** The places that are at most so many steps after one of these; both are ascending. */
function after(places: number[], steps: number, end: number): number[] {
  const found: number[] = [];
  for (const place of places) {
    for (let at = Math.max(place, (found.at(-1) ?? -1) + 1); at <= place + steps && at < end; at += 1)
      found.push(at);
  }
  return found;
}

/** The log of a record, place by place. */
function read(record: PlayedMatch): Played {
  const dealing = dealingOf(record.game);
  const played: Played = { record, dealing, packs: [], shown: [], voids: [], places: [] };
  let place: Place = { packs: 0, since: 0, from: 0, until: 0, rounds: 0, further: 0, said: {}, weis: [] };
  played.places.push(place);
  for (const [at, entry] of record.log.entries()) {
    const [actor, text] = Array.isArray(entry) ? (entry as unknown[]).map(String) : [];
    if (actor === undefined || text === undefined) continue;
    if (actor === "pack") {
      const packs = played.packs.push(text.split(" "));
      // Each round is one of actions after packs; a void one leaves the dealer where they were.
      const acted = place.packs > 0 && place.since < at;
      const rounds = place.rounds + Number(acted && played.voids.at(-1)?.[1] !== place.until);
      const further = acted ? 1 : place.further + 1;
      place = { ...place, packs, since: at + 1, from: place.until, rounds, further, said: {}, weis: [] };
    } else {
      const card = /^(play|lay) /.test(text);
      if (card || dealing?.claims) place = { ...place, until: played.shown.push(shownAs(actor, text)) };
      if (card && dealing?.annuls?.(record.options) && isVoid(place, played))
        played.voids.push([place.from, place.until]);
      if (!card) place = { ...place, said: { ...place.said, [actor]: text } };
      if (text.endsWith(" weis")) place = { ...place, weis: [...place.weis, Number(actor)] };
    }
    played.places.push(place);
  }
  return played;
}

/** Whether a round is over, and each of its cards has followed suit. */
function isVoid({ from, until }: Place, { record, packs, shown }: Played): boolean {
  const suits = shown.slice(from, until).map((action) => action.at(-1));
  const players = record.players.length;
  return (
    suits.length === packs.at(-1)?.length && suits.every((suit, at) => suit === suits[at - (at % players)])
  );
}

/** An action in a record as `shownIn` has it: `lay 3C 7D KD as J` is shown as `lay 3 as J|3C 7D KD`. */
function shownAs(actor: string, text: string): string {
  const [, cards, rank] = /^lay (.*) as (.)$/.exec(text) ?? [];
  if (cards === undefined) return `${actor} ${text.replace(/ weis$/, "")}`;
  return `${actor} lay ${cards.split(" ").length} as ${rank}|${cards}`;
}

/** Whether a note is that of a state at a place. */
function fits(note: Note, at: number, seen: MatchNotes, played: Played): boolean {
  const { record, dealing, places } = played;
  const place = places[at];
  return (
    place !== undefined &&
    (note.waits ? note.packs >= place.packs : note.packs === place.packs) &&
    (isUnclear(seen, played) || showsSame(note, place, seen, played)) &&
    (note.said ?? []).every((said, seat) => isSaid(said, place.said[seat])) &&
    (note.weis === null || canonical(note.weis) === canonical(place.weis)) &&
    note.drawn.every((cards) => isDrawn(cards, played.packs.slice(0, place.packs))) &&
    isResult(note, at, record) &&
    (dealing === null || isDealt(note, at, played, dealing))
  );
}

/** Whether the same actions are shown: cards of the whole match, or claims of a deal. */
function showsSame(note: Note, place: Place, seen: MatchNotes, { shown, voids, dealing }: Played): boolean {
  const from = dealing?.claims ? place.from : 0;
  if (shownLength(seen.voids, note.from, note.until) !== shownLength(voids, from, place.until)) return false;
  const noted = shownAt(seen.voids, note.from, note.until);
  const recorded = shownAt(voids, from, place.until);
  return noted.every((one, at) => isSameAction(seen.shown[one] ?? "", shown[recorded[at] as number]));
}

/** How many actions `shownAt` finds. */
const shownLength = (voids: readonly Range[], from: number, until: number): number =>
  voids.reduce((left, [first, end]) => (end <= until ? left - end + first : left), until - from);

/** Whether it is not known how a game takes cards away that were shown. */
const isUnclear = ({ contradicted, voids }: MatchNotes, { dealing }: Played): boolean =>
  !dealing && (contradicted || voids.length > 0);

/** Whether an action in a record may be the one that was told, of which a part may be hidden: `bid 42` as `bid`. */
const isSaid = (told: string | null, action: string | undefined): boolean =>
  told === null ? action === undefined : action === told || action?.startsWith(`${told} `) === true;

/** Whether cards that were drawn for seats come from one of these packs. */
const isDrawn = (cards: readonly string[], packs: string[][]): boolean =>
  cards.length === 0 || packs.some((pack) => cards.every((card, place) => pack[place] === card));

/** Whether a result that was shown, if any, is that of the record. */
const isResult = ({ result }: Note, at: number, record: PlayedMatch): boolean =>
  result === null || (at === record.log.length && canonical(result) === canonical(record.result));

/** Whether the hand, the cards put on the table and the card turned up come from the pack that was dealt. */
function isDealt(note: Note, at: number, played: Played, dealing: Dealing): boolean {
  const { hand, waits, result } = note;
  const place = played.places[at] as Place;
  const { packs, since } = place;
  const { options } = played.record;
  if (!waits && !result && packs > 0 && !isInTurn(note, place, played, dealing)) return false;
  if (!hand) return true;
  const last = packs > 0 ? played.packs[packs - 1] : undefined;
  if (at === since && !note.waits && last) {
    const turned = dealing.turned?.(last, options, dealtTo(note).length);
    if (turned && canonical(turned) !== canonical(note.trump)) return false;
  }
  // While a further pack is awaited for another thing than hands, the hand is from the last one.
  const dealt = [last, ...(dealing.drawn(options) > 0 ? [played.packs[packs - 2]] : [])];
  return dealt.some((pack) => pack && isHandOf(note, hand, pack, at, played, dealing));
}

/** Whether there are no more packs than a deal takes (C6), and the seat whose turn it is deals (C5). */
function isInTurn(note: Note, place: Place, played: Played, dealing: Dealing): boolean {
  const { options } = played.record;
  const isFirst = place.packs === place.further;
  const decides = dealing.decides === true && !isFirst && (note.drawn[1]?.length ?? 0) > 0;
  const drawn = Number(isFirst && options.dealer === null) + Number(decides);
  if (place.further !== 1 + drawn + dealing.drawn(options)) return false;
  return (dealing.drops && !isFirst) || note.dealer === dealerAt(place, played);
}

/** The seat that deals, where all seats deal one after the other. */
function dealerAt({ rounds }: Place, { record, packs }: Played): number {
  const players = record.players.length;
  const drawn = (packs[0] ?? [])
    .slice(0, players)
    .map((card) => ORDER.indexOf(card[0] ?? "") * 4 + "CDHS".indexOf(card[1] ?? ""));
  return (Number(record.options.dealer ?? drawn.indexOf(Math.max(...drawn))) + rounds) % players;
}

/** The cards of each suit, the lowest first. */
const ORDER = "23456789TJQKA";

/** Whether a hand, and what each seat has put on the table since, are dealt from a pack. */
function isHandOf(
  note: Note,
  hand: Hand,
  pack: string[],
  at: number,
  played: Played,
  dealing: Dealing,
): boolean {
  const isFresh = at === (played.places[at] as Place).since;
  const { drops = false, claims = false } = dealing;
  const dealer = drops ? (note.dealer ?? 0) : dealerAt(played.places[at] as Place, played);
  // Where a hand may be put away it is known only then who was dealt cards.
  if (drops && !isFresh) return true;
  const seats = drops ? dealtTo(note) : [...played.record.players.keys()];
  const { hands, rest } = deal(pack, dealing, dealer, seats);
  const parted = partedWith(at, played);
  const fits = parted.every(
    ([seat, card]) => hands.get(seat)?.includes(card) || (claims && rest.includes(card)),
  );
  if (!fits || (claims && !isFresh)) return fits;
  const own = [...hand.cards, ...parted.flatMap(([seat, card]) => (seat === hand.seat ? [card] : []))];
  const dealt = hands.get(hand.seat) ?? [];
  // The first player may have drawn further cards already (ID5).
  const drawn = own.filter((card) => !dealt.includes(card));
  return dealt.every((card) => own.includes(card)) && drawn.every((card) => claims && rest.includes(card));
}

/** The seats that hold cards. */
const dealtTo = ({ sizes }: Note): number[] => sizes.flatMap((size, seat) => (size > 0 ? [seat] : []));

/** The cards that seats have played or laid since the last pack, until somebody takes cards up. */
function partedWith(at: number, { places, shown }: Played): [seat: number, card: string][] {
  const { from, until } = places[at] as Place;
  const actions = shown.slice(from, until);
  const taken = actions.findIndex((action) => action.endsWith(" doubt"));
  return actions.slice(0, taken < 0 ? actions.length : taken).flatMap((action) => {
    const [seat] = action.split(" ", 1);
    const cards = / play (.*)|\|(.*)/.exec(action)?.slice(1).find(Boolean)?.split(" ") ?? [];
    return cards.map((card): [number, string] => [Number(seat), card]);
  });
}

/** The hands dealt from a pack, forehand first, who is the seat after the dealer, and the cards dealt to nobody. */
function deal(pack: string[], dealing: Dealing, dealer: number, playing: number[]) {
  const order = [...playing.filter((one) => one > dealer), ...playing.filter((one) => one <= dealer)];
  const hands = new Map(order.map((seat): [number, string[]] => [seat, []]));
  let front = 0;
  for (const packet of dealing.packets(Math.floor(pack.length / order.length))) {
    for (const hand of hands.values()) {
      hand.push(...pack.slice(front, front + packet));
      front += packet;
    }
  }
  return { hands, rest: pack.slice(front) };
}

/** A value as JSON with its keys in order, to compare it. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}
