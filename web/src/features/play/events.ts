// What one event means to those who watch: which card fell, who took the trick, that trump is
// made. Pure, so that the picture, the sounds of a screen reader and the tests agree.
import { playedCard, type Suit } from "../../cards/cards";
import { bidNews, shownCard, type BidNews } from "../../games/differenzler/bids";
import { doubtNews, type DoubtNews } from "../../games/i-doubt-it/model";
import {
  answerNews,
  calledNews,
  endedNews,
  scoredNews,
  weisNews,
  type JassNews,
} from "../../games/jass/events";
import { runNews, type MolotovNews } from "../../games/molotov/events";
import { doubtView, type Round } from "../../api/views";
import type { Event } from "../../api/messages";
import type { SeatCard, TableState } from "../../table/tableState";
import { hostNews, passedOn, type HostNews } from "../../table/hostNarration";

/** What is asked about somebody's last card; `other` is who has asked. */
export type UndoNews =
  | { kind: "undo_asked" | "undo_withdrawn" | "undo_lapsed" | "undone"; seat: number }
  | { kind: "undo_agreed" | "undo_declined"; seat: number; other: number };

export type News =
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
  | { kind: "back" | "sat" | "stood" | "rest_taken"; seat: number }
  | HostNews
  | { kind: "offered" | "declined" | "swapped"; seat: number; other: number }
  | UndoNews
  | BidNews
  | DoubtNews
  | JassNews
  | MolotovNews;

/** The news in one event, in the order in which they are told. */
export function newsOf(before: TableState, message: Event, after: TableState): News[] {
  const { kind, seat, other } = message.event;
  if (kind === "away" && seat !== null) return [{ kind, seat, by: other }];
  if ((kind === "back" || kind === "sat" || kind === "rest_taken") && seat !== null) return [{ kind, seat }];
  if (kind === "stood" && seat !== null) return [{ kind, seat }, ...passedOn(before, after)];
  if (kind === "resigned") return passedOn(before, after);
  const decided = hostNews(before, message, after);
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

function packNews(before: TableState, message: Event, after: TableState): News[] {
  const view = after.view;
  if (!view) return [];
  const news: News[] = [];
  const purpose = message.event.pack;
  if (purpose === "draw" && view.draw && view.dealer !== null) {
    news.push({ kind: "drawn", draw: view.draw, dealer: view.dealer });
  }
  if (purpose === "deal") news.push({ kind: "dealt", round: view.round });
  if (view.trump && view.trump !== before.view?.trump) {
    const card = shownCard(view);
    news.push({ kind: "trump", suit: view.trump, by: null, ...(card ? { card } : {}) });
  }
  return [...news, ...endNews(before, after)];
}

function actionNews(
  before: TableState,
  message: Event,
  after: TableState,
  seat: number,
): News[] {
  if (doubtView(after.view)) {
    return [...doubtNews(before.view, after.view), ...endNews(before, after)];
  }
  const action = message.event.action ?? "";
  const card = playedCard(action);
  if (card) return playNews(before, after, seat, card);
  const answer = before.view ? answerNews(action, seat, before.view) : [];
  if (answer.length > 0) return [...answer, ...endNews(before, after)];
  const bids = bidNews(action, seat, before.view);
  if (bids.length > 0) return bids;
  return action ? [{ kind: "chose", seat, action }, ...endNews(before, after)] : [];
}

function playNews(before: TableState, after: TableState, seat: number, card: string): News[] {
  const news: News[] = [{ kind: "played", seat, card }];
  const old = before.view;
  const view = after.view;
  if (!old || !view) return news;
  if (old.trump === null && view.trump !== null) {
    news.push({ kind: "trump", suit: view.trump, by: seat });
  }
  news.push(...weisNews(old, view), ...calledNews(old, seat, card));
  const finished = view.rounds.length > old.rounds.length ? view.rounds.at(-1) : undefined;
  const taken = finished ? finished.tricks.at(-1) : lastTaken(old.tricks.length, after);
  if (taken) {
    const winner = taken.winner;
    news.push({
      kind: "trick",
      cards: [...old.trick, [seat, card]],
      winner,
      points: finished ? null : grown(old.points[winner], view.points[winner]),
    });
    news.push(...runNews(old, view, finished !== undefined));
  } else if (view.trick.length === 0) {
    news.push({ kind: "annulled" });
  }
  news.push(...scoredNews(old, view, finished !== undefined));
  return [...news, ...endNews(before, after)];
}

function lastTaken(before: number, after: TableState) {
  const tricks = after.view?.tricks ?? [];
  return tricks.length > before ? tricks.at(-1) : undefined;
}

function grown(before: number | null | undefined, after: number | null | undefined) {
  return typeof before === "number" && typeof after === "number" ? after - before : null;
}

/** The round and the match that ended with this event, if they did. */
function endNews(before: TableState, after: TableState): News[] {
  const news: News[] = [];
  const rounds = after.view?.rounds ?? [];
  const last = rounds.length > (before.view?.rounds.length ?? 0) ? rounds.at(-1) : undefined;
  if (last) {
    news.push({ kind: "round", number: rounds.length, round: last });
    if (before.view && after.view) news.push(...endedNews(before.view, after.view));
  }
  if (after.view?.over && !before.view?.over) {
    news.push({ kind: "over", winners: after.view.winners });
  }
  return news;
}
