// Derives from one server message what happened in the game: which card was played, who took the trick,
// that trump is made. Pure, so that the picture, the screen reader's log and the tests agree.
import { playedCard, type Suit } from "../../cards/cards";
import { bidEvents, shownCard, type BidEvent } from "../../games/differenzler/bids";
import { doubtEvents, type DoubtEvent } from "../../games/i-doubt-it/model";
import { answerEvents, remainingPlayerEvents, type HandjassEvent } from "../../games/handjass/events";
import { scoredMeldEvents, stoeckEvents, weisEvents, type WeisEvent } from "../../games/weis/events";
import { runEvents, type MolotovEvent } from "../../games/molotov/events";
import { doubtView, type Round } from "../../api/narrowGameView";
import type { Event } from "../../api/messages";
import type { SeatCard, TableState } from "../../table/tableState";
import { seatName } from "../../table/playerNames";
import { hostEvents, hostChangeEvents, type HostEvent } from "../../table/hostNarration";

/** A request to undo and the answers; `other` is the seat that asked. */
export type UndoEvent =
  | { kind: "undo_asked" | "undo_withdrawn" | "undo_lapsed" | "undone"; seat: number }
  | { kind: "undo_agreed" | "undo_declined"; seat: number; other: number };

export type GameEvent =
  | { kind: "dealt"; round: number }
  | { kind: "drawn"; draw: SeatCard[]; dealer: number }
  | { kind: "trump"; suit: Suit; by: number | null; card?: string }
  | { kind: "chose"; seat: number; action: string }
  | { kind: "played"; seat: number; card: string }
  | { kind: "trick"; cards: SeatCard[]; winner: number; points: number | null }
  | { kind: "round"; number: number; round: Round }
  | { kind: "annulled" }
  | { kind: "over"; winners: number[] }
  | { kind: "away"; seat: number; by: number | null }
  | { kind: "back" | "sat" | "rest_taken"; seat: number }
  | { kind: "stood"; seat: number; name: string }
  | HostEvent
  | { kind: "offered" | "declined" | "swapped"; seat: number; other: number }
  | UndoEvent
  | BidEvent
  | DoubtEvent
  | HandjassEvent
  | WeisEvent
  | MolotovEvent;

/** The events of one message, in the order of their announcement. */
export function eventsOf(before: TableState, message: Event, after: TableState): GameEvent[] {
  const { kind, seat, other } = message.event;
  if (kind === "away" && seat !== null) return [{ kind, seat, by: other }];
  if ((kind === "back" || kind === "sat" || kind === "rest_taken") && seat !== null) return [{ kind, seat }];
  if (kind === "stood" && seat !== null) {
    return [{ kind, seat, name: seatName(before.room, seat) }, ...hostChangeEvents(before, after)];
  }
  if (kind === "resigned" || kind === "host_replaced") return hostChangeEvents(before, after);
  const decided = hostEvents(before, message, after);
  if (decided.length > 0) return decided;
  if (kind === "offered" || kind === "declined" || kind === "swapped") {
    return seat === null || other === null ? [] : [{ kind, seat, other }];
  }
  if (kind === "undo_asked" || kind === "undo_withdrawn" || kind === "undo_lapsed" || kind === "undone") {
    return seat === null ? [] : [{ kind, seat }];
  }
  if (kind === "undo_agreed" || kind === "undo_declined") {
    return seat === null || other === null ? [] : [{ kind, seat, other }];
  }
  if (kind === "pack") return packNews(before, message, after);
  if (kind === "acted" && seat !== null) return actionNews(before, message, after, seat);
  return [];
}

function packNews(before: TableState, message: Event, after: TableState): GameEvent[] {
  const view = after.view;
  if (!view) return [];
  const events: GameEvent[] = [];
  const purpose = message.event.pack;
  if (purpose === "draw" && view.draw && view.dealer !== null) {
    events.push({ kind: "drawn", draw: view.draw, dealer: view.dealer });
  }
  if (purpose === "deal") events.push({ kind: "dealt", round: view.round });
  if (view.trump && view.trump !== before.view?.trump) {
    const card = shownCard(view);
    events.push({ kind: "trump", suit: view.trump, by: null, ...(card ? { card } : {}) });
  }
  return [...events, ...endNews(before, after)];
}

function actionNews(before: TableState, message: Event, after: TableState, seat: number): GameEvent[] {
  if (doubtView(after.view)) {
    return [...doubtEvents(before.view, after.view), ...endNews(before, after)];
  }
  const action = message.event.action ?? "";
  const card = playedCard(action);
  if (card) return playNews(before, after, seat, card);
  const answer = before.view ? answerEvents(action, seat, before.view) : [];
  if (answer.length > 0) return [...answer, ...endNews(before, after)];
  const bids = bidEvents(action, seat, before.view);
  if (bids.length > 0) return bids;
  return action ? [{ kind: "chose", seat, action }, ...endNews(before, after)] : [];
}

function playNews(before: TableState, after: TableState, seat: number, card: string): GameEvent[] {
  const events: GameEvent[] = [{ kind: "played", seat, card }];
  const old = before.view;
  const view = after.view;
  if (!old || !view) return events;
  if (old.trump === null && view.trump !== null) {
    events.push({ kind: "trump", suit: view.trump, by: seat });
  }
  events.push(...weisEvents(old, view), ...stoeckEvents(old, seat, card));
  const finished = view.rounds.length > old.rounds.length ? view.rounds.at(-1) : undefined;
  const taken = finished ? finished.tricks.at(-1) : lastTaken(old.tricks.length, after);
  if (taken) {
    const winner = taken.winner;
    events.push({
      kind: "trick",
      cards: [...old.trick, [seat, card]],
      winner,
      points: finished ? null : grown(old.points[winner], view.points[winner]),
    });
    events.push(...runEvents(old, view, finished !== undefined));
  } else if (view.trick.length === 0) {
    events.push({ kind: "annulled" });
  }
  events.push(...scoredMeldEvents(old, view, finished !== undefined));
  return [...events, ...endNews(before, after)];
}

function lastTaken(before: number, after: TableState) {
  const tricks = after.view?.tricks ?? [];
  return tricks.length > before ? tricks.at(-1) : undefined;
}

function grown(before: number | null | undefined, after: number | null | undefined) {
  return typeof before === "number" && typeof after === "number" ? after - before : null;
}

/** The draw for the first dealer (C5), if nobody has acted since; null if something has happened. */
export function recentDraw({ view, said }: TableState): GameEvent | null {
  if (!view?.draw || view.dealer === null) return null;
  const played = view.rounds.length + view.tricks.length + view.trick.length;
  const claimed = doubtView(view)?.turns.some((turn) => turn.count > 0) ?? false;
  if (played > 0 || claimed || said.some((action) => action !== null)) return null;
  return { kind: "drawn", draw: view.draw, dealer: view.dealer };
}

/** The end of a round or of the match with this event. */
function endNews(before: TableState, after: TableState): GameEvent[] {
  const events: GameEvent[] = [];
  const rounds = after.view?.rounds ?? [];
  const last = rounds.length > (before.view?.rounds.length ?? 0) ? rounds.at(-1) : undefined;
  if (last) {
    events.push({ kind: "round", number: rounds.length, round: last });
    if (before.view && after.view) events.push(...remainingPlayerEvents(before.view, after.view));
  }
  if (after.view?.over && !before.view?.over) {
    events.push({ kind: "over", winners: after.view.winners });
  }
  return events;
}
