// I Doubt It (ID): parts of a claim, and the events of a deal. Pure, so that the picture, the screen reader
// and the tests agree.
import { parseCard, type Rank } from "../../cards/cards";
import type { LayTurn, View } from "../../api/messages";
import type { TableState } from "../../table/tableState";
import { doubtView } from "../../api/narrowGameView";

/** Cards of a claim (ID2). */
export const CARDS_PER_CLAIM = 3;

export type DoubtEvent =
  | { kind: "drew"; seat: number; count: number }
  | { kind: "missed"; seat: number }
  | { kind: "claimed"; seat: number; rank: Rank; count: number }
  | { kind: "passed"; seat: number }
  | { kind: "accepted"; seat: number }
  | { kind: "revealed"; turn: DoubtedTurn }
  | { kind: "taken"; seat: number; count: number };

/** A doubted turn: its cards and the taker of the middle are public. */
export type DoubtedTurn = LayTurn & {
  rank: Rank;
  laid: string[];
  doubter: number;
  truth: boolean;
  taker: number;
};

/** The number of cards in a claim: three, or under `last="any"` the last one or two. */
export function cardsToLay(view: View): number {
  const held = view.hand?.length ?? 0;
  return view.options.last === "any" && held > 0 ? Math.min(CARDS_PER_CLAIM, held) : CARDS_PER_CLAIM;
}

/** The common rank of these cards; null if they differ or there are none. */
export function commonRank(cards: readonly string[]): Rank | null {
  const [first, ...others] = cards.map((card) => parseCard(card).rank);
  return first !== undefined && others.every((rank) => rank === first) ? first : null;
}

/** The action in its text form, the cards in their order on the pile: `lay 3C 7D KD as J`. */
export function layAction(cards: readonly string[], rank: Rank): string {
  return `lay ${cards.join(" ")} as ${rank}`;
}

/** The cards chosen after a tap on one, which adds or removes it; null if too many are chosen. */
export function toggleCard(chosen: readonly string[], card: string, most: number): string[] | null {
  if (chosen.includes(card)) return chosen.filter((one) => one !== card);
  return chosen.length < most ? [...chosen, card] : null;
}

/** Whether the reader is to lay a claim now. */
export function mustLay(state: TableState): boolean {
  return state.turn !== null && state.view?.phase === "lay" && state.room.phase === "playing";
}

/** Whether the reader is to answer a claim now. */
export function mustAnswer(state: TableState): boolean {
  return state.turn !== null && state.view?.phase === "answer" && state.room.phase === "playing";
}

/**
 * Whether what is being shown can be skipped: the answers of bots, or the reveal of a doubted claim.
 */
export function canSkipAnswers(state: TableState, revealed: boolean): boolean {
  if (revealed) return true;
  const view = doubtView(state.view);
  const next = view?.claim ? view.to_act[0] : undefined;
  if (next === undefined || next === state.seat || state.hint !== null) return false;
  return state.room.phase === "playing" && state.room.seats[next]?.kind === "computer";
}

/** The turn on the table: the one being answered or the one begun by a draw from the middle. */
export function turnToAnswer(seen: View | null): LayTurn | null {
  const view = doubtView(seen);
  const last = view?.turns.at(-1);
  if (!view || !last) return null;
  if (view.phase === "answer") return last;
  return view.phase === "lay" && last.count === 0 && last.drew > 0 ? last : null;
}

/** Whether a seat has passed on the claim on the table. */
export function hasPassed(view: View | null, seat: number): boolean {
  return turnToAnswer(view)?.passed.includes(seat) ?? false;
}

/** The cards that the reader has just drawn from the middle, until their next claim (ID5). */
export function justDrawn(view: View | null): string[] {
  const turn = turnToAnswer(view);
  return turn && view?.phase === "lay" ? (turn.drawn ?? []) : [];
}

/** The turn if it was doubted; null for all others. */
export function asDoubtedTurn(turn: LayTurn | undefined): DoubtedTurn | null {
  if (!turn || turn.rank === null || turn.laid === null || turn.doubter === null) return null;
  if (turn.truth === null || turn.taker === null) return null;
  return turn as DoubtedTurn;
}

/** The events between two views of one table, in the order of their announcement. */
export function doubtEvents(before: View | null, seen: View | null): DoubtEvent[] {
  const after = doubtView(seen);
  if (!after) return [];
  const now = after.turns;
  const known = doubtView(before)?.turns ?? [];
  const old = known.length <= now.length ? known : [];
  const players = after.hand_sizes.length;
  const events: DoubtEvent[] = [];
  for (let index = Math.max(0, old.length - 1); index < now.length; index += 1) {
    const turn = now[index];
    if (turn) events.push(...newsOfTurn(old[index], turn, players));
  }
  return events;
}

function newsOfTurn(old: LayTurn | undefined, turn: LayTurn, players: number): DoubtEvent[] {
  const { seat } = turn;
  const events: DoubtEvent[] = [];
  if (turn.drew > (old?.drew ?? 0)) events.push({ kind: "drew", seat, count: turn.drew });
  if (!old && turn.count === 0 && turn.drew === 0) events.push({ kind: "missed", seat });
  if (turn.rank !== null && (old?.rank ?? null) === null) {
    events.push({ kind: "claimed", seat, rank: turn.rank, count: turn.count });
  }
  const passed = turn.passed.slice(old?.passed.length ?? 0);
  events.push(...passed.map((one): DoubtEvent => ({ kind: "passed", seat: one })));
  if (passed.length > 0 && turn.passed.length === players - 1) {
    events.push({ kind: "accepted", seat });
  }
  const settled = asDoubtedTurn(turn);
  if (settled && (old?.doubter ?? null) === null) {
    events.push({ kind: "revealed", turn: settled });
    events.push({ kind: "taken", seat: settled.taker, count: settled.taken });
  }
  return events;
}

/** A frame: the table as shown, and its announced events. */
export interface Moment<Event> {
  state: TableState;
  events: Event[];
}

/**
 * Splits a doubt into two moments: first the previous table with the claim turned up and nobody to act,
 * then the new hands and the new turn. Any other event is one moment.
 */
export function splitReveal<Event extends { kind: string }>(
  before: TableState,
  after: TableState,
  events: readonly Event[],
): Moment<Event>[] {
  const end = events.findIndex((one) => one.kind === "revealed") + 1;
  if (end === 0 || !before.view) return [{ state: after, events: [...events] }];
  const turnedUp: TableState = {
    ...before,
    version: after.version,
    turn: null,
    view: { ...before.view, to_act: [] },
  };
  return [
    { state: turnedUp, events: events.slice(0, end) },
    { state: after, events: events.slice(end) },
  ];
}
