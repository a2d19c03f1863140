// What the text table says of actions: what one is called, what is possible now, why one is not.
import { playedCard, sortedHand, type Rank } from "../../cards/cards";
import { cardName } from "../../cards/cardNames";
import { words } from "../../cards/richTextToString";
import { actionLabel, contractLabel } from "../../games/actionLabels";
import { isBidding } from "../../games/differenzler/bids";
import { arranged } from "../../games/generic/choices";
import { contractOf } from "../../games/contracts/model";
import { isToLay } from "../../games/i-doubt-it/model";
import { laySentence } from "../../games/i-doubt-it/words";
import { coiffeurView } from "../../api/views";
import { suggestedBid, suggestedLay } from "../../table/suggestedAction";
import { capital, listed, m } from "../../i18n";
import type { TableState } from "../../table/tableState";
import type { Deck } from "../../settings/settings.svelte";
import { reasonText, refusalText } from "../hand/illegalMoveText";
import { turnWords } from "../play/turnText";
import { wordFor } from "./commands";
import { layHelp } from "./claimParser";

/** What an action is called: a card by its name, a claim as the sentence one says. */
export function said(game: string, action: string, deck: Deck): string {
  const card = playedCard(action);
  if (card) {
    const name = cardName(card, deck);
    return action.endsWith(" weis") ? `${name} + ${m.weis_word()}` : name;
  }
  const bid = suggestedBid(action);
  if (bid !== null) return m.bid_confirm({ n: bid });
  const lay = suggestedLay(action);
  if (lay) return laySentence(lay.rank as Rank, lay.cards.length);
  return capital(words(actionLabel(game, action), deck));
}

/** What may be done now, in a sentence; whose turn it is where the reader may do nothing. */
export function allowed(table: TableState, deck: Deck): string {
  const { turn, room, view } = table;
  if (table.seat === null) return m.text_not_seated();
  if (room.phase === "between" || room.phase === "over") {
    return m.text_go_on({ word: wordFor("next") });
  }
  if (!turn) return `${turnWords(table)}.`;
  if (isBidding(view)) return m.bid_range();
  if (isToLay(table)) return `${m.reason_lay()} ${layHelp(table)}`;
  return m.text_may({ what: listed(possible(turn.legal, room.game, deck)) });
}

/** Cards and choices, many alike told by what they begin with. */
function possible(legal: readonly string[], game: string, deck: Deck): string[] {
  const cards = sortedHand([...new Set(legal.flatMap((action) => playedCard(action) ?? []))]);
  const weis = legal.some((action) => action.startsWith("play ") && action.endsWith(" weis"));
  const others = legal.filter((action) => playedCard(action) === null);
  const found = arranged(game, others);
  const heads = found.groups.map(({ head }) => capital(words(contractLabel(game, head), deck)));
  const named = (action: string): string => said(game, action, deck);
  return [
    ...cards.map((card) => cardName(card, deck)),
    ...(weis ? [`+ ${m.weis_word()}`] : []),
    ...[...found.suits, ...found.others].map(named),
    ...heads,
    ...found.last.map(named),
  ];
}

/** Why an action that the game knows is not legal now, and what is. */
export function refused(action: string, table: TableState, deck: Deck): string {
  const what = said(table.room.game, action, deck);
  const reason = `${what}: ${reasonFor(action, table, deck)}`;
  const told = reason.endsWith(".") || reason.endsWith("!") ? reason : `${reason}.`;
  // Why a card does not go with the trick tells already what does.
  const explains = playedCard(action) !== null && table.turn?.refused[playedCard(action) ?? ""];
  const may = allowed(table, deck);
  return explains || told.endsWith(may) ? told : `${told} ${may}`;
}

function reasonFor(action: string, table: TableState, deck: Deck): string {
  const { turn, room, view } = table;
  if (table.seat === null) return m.text_not_seated();
  if (room.phase !== "playing" || !view) return room.phase === "over" ? m.reason_over() : m.error_wrong_phase();
  const card = playedCard(action);
  if (card && !(view.hand ?? []).includes(card)) return m.reason_not_held();
  if (!turn) return reasonText("turn", table, deck);
  if (card) return cardReason(card, action, table, deck);
  return choiceReason(action, table, deck);
}

function cardReason(card: string, action: string, table: TableState, deck: Deck): string {
  const { turn, view } = table;
  const bare = turn?.legal.includes(`play ${card}`) ?? false;
  if (bare && action.endsWith(" weis")) return m.reason_weis();
  if (view?.phase === "announce") return m.reason_contract();
  if (isToLay(table)) return m.reason_lay();
  if (view?.phase === "answer") return reasonText("answer", table, deck);
  return refusalText(card, table, deck);
}

function choiceReason(action: string, table: TableState, deck: Deck): string {
  const { view } = table;
  const [verb] = action.split(" ");
  if (verb === "bid" && isBidding(view)) return m.bid_range();
  if (verb === "rob") return reasonText("rob", table, deck);
  if (verb === "blind") return m.reason_blind();
  if (view?.phase === "announce" && verb === "push") return m.reason_push();
  if (view?.phase === "announce" && coiffeurView(view) && contractOf(action)) {
    return m.reason_line();
  }
  return m.text_not_now({ what: said(table.room.game, action, deck) });
}
