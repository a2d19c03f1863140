// The text table's sentences about actions: their names, which are legal, why one is not.
import { playedCard, sortHand, type Rank } from "../../cards/cards";
import { cardName } from "../../cards/cardNames";
import { richTextToString } from "../../cards/richTextToString";
import { actionLabel, contractLabel } from "../../games/actionLabels";
import { isBidding } from "../../games/differenzler/bids";
import { groupChoices } from "../../games/generic/nonCardActions";
import { parseContract } from "../../games/contracts/model";
import { mustLay } from "../../games/i-doubt-it/model";
import { laySentence } from "../../games/i-doubt-it/words";
import { coiffeurView } from "../../api/narrowGameView";
import { parseBidAction, parseLayAction } from "../../table/suggestedAction";
import { capitalized, listNames, m } from "../../i18n";
import type { TableState } from "../../table/tableState";
import type { Deck } from "../../settings/settings.svelte";
import { reasonText, illegalCardText } from "../hand/illegalMoveText";
import { turnText } from "../play/turnText";
import { commandWord } from "./commands";
import { layHelp } from "./doubtClaimParser";

/** The name of an action: a card's name, a claim as a sentence, else the label. */
export function actionName(game: string, action: string, deck: Deck): string {
  const card = playedCard(action);
  if (card) {
    const name = cardName(card, deck);
    return action.endsWith(" weis") ? `${name} + ${m.weis_word()}` : name;
  }
  const bid = parseBidAction(action);
  if (bid !== null) return m.bid_confirm({ n: bid });
  const lay = parseLayAction(action);
  if (lay) return laySentence(lay.rank as Rank, lay.cards.length);
  return capitalized(richTextToString(actionLabel(game, action), deck));
}

/** A sentence about the legal actions, or about whose turn it is if there are none. */
export function legalActionsText(table: TableState, deck: Deck): string {
  const { turn, room, view } = table;
  if (table.seat === null) return m.text_not_seated();
  if (room.phase === "between" || room.phase === "over") {
    return m.text_go_on({ word: commandWord("next") });
  }
  if (!turn) return `${turnText(table)}.`;
  if (isBidding(view)) return m.bid_range();
  if (mustLay(table)) return `${m.reason_lay()} ${layHelp(table)}`;
  return m.text_may({ what: listNames(possible(turn.legal, room.game, deck)) });
}

/** The legal cards and choices; many similar ones are summarised. */
function possible(legal: readonly string[], game: string, deck: Deck): string[] {
  const cards = sortHand([...new Set(legal.flatMap((action) => playedCard(action) ?? []))]);
  const weis = legal.some((action) => action.startsWith("play ") && action.endsWith(" weis"));
  const others = legal.filter((action) => playedCard(action) === null);
  const found = groupChoices(game, others);
  const heads = found.groups.map(({ head }) =>
    capitalized(richTextToString(contractLabel(game, head), deck)),
  );
  const named = (action: string): string => actionName(game, action, deck);
  return [
    ...cards.map((card) => cardName(card, deck)),
    ...(weis ? [`+ ${m.weis_word()}`] : []),
    ...[...found.suits, ...found.others].map(named),
    ...heads,
    ...found.last.map(named),
  ];
}

/** Why a known action is not legal now, and which actions are. */
export function illegalActionText(action: string, table: TableState, deck: Deck): string {
  const what = actionName(table.room.game, action, deck);
  const reason = `${what}: ${reasonFor(action, table, deck)}`;
  const told = reason.endsWith(".") || reason.endsWith("!") ? reason : `${reason}.`;
  // The reason why a card does not fit the trick already says which cards do.
  const explains = playedCard(action) !== null && table.turn?.refused[playedCard(action) ?? ""];
  const may = legalActionsText(table, deck);
  return explains || told.endsWith(may) ? told : `${told} ${may}`;
}

function reasonFor(action: string, table: TableState, deck: Deck): string {
  const { turn, room, view } = table;
  if (table.seat === null) return m.text_not_seated();
  if (room.phase !== "playing" || !view)
    return room.phase === "over" ? m.reason_over() : m.error_wrong_phase();
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
  if (mustLay(table)) return m.reason_lay();
  if (view?.phase === "answer") return reasonText("answer", table, deck);
  return illegalCardText(card, table, deck);
}

function choiceReason(action: string, table: TableState, deck: Deck): string {
  const { view } = table;
  const [verb] = action.split(" ");
  if (verb === "bid" && isBidding(view)) return m.bid_range();
  if (verb === "rob") return reasonText("rob", table, deck);
  if (verb === "blind") return m.reason_blind();
  if (view?.phase === "announce" && verb === "push") return m.reason_push();
  if (view?.phase === "announce" && coiffeurView(view) && parseContract(action)) {
    return m.reason_line();
  }
  return m.text_not_now({ what: actionName(table.room.game, action, deck) });
}
