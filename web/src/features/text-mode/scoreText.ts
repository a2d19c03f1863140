// The standing of a match and the result of a round, in sentences.
import { richTextToString } from "../../cards/richTextToString";
import { announcedContract, contractInRound, slateLines, lineScores } from "../../games/contracts/model";
import { announcedText, byText, lineText } from "../../games/contracts/words";
import { dealResultSentence } from "../../games/i-doubt-it/words";
import { contractLabel } from "../../games/actionLabels";
import {
  coiffeurView,
  contractView,
  differenzlerView,
  doubtView,
  handjassView,
  molotovView,
  molotowView,
} from "../../api/narrowGameView";
import { columnLabel } from "../../i18n/gameLabels";
import { capitalized, listNames, m, minusSigned } from "../../i18n";
import type { TableState } from "../../table/tableState";
import { standingColumns } from "../../games/generic/standing";
import { countStrokes } from "../../games/strokes";
import type { Deck } from "../../settings/settings.svelte";
import { seatName } from "../../table/playerNames";
import { teamName, teamsOf } from "../../table/teams";

/** A sentence for each seat or side: its standing, and its points in the round in progress. */
export function standingLines(state: TableState, deck: Deck): string[] {
  if (!state.view) return [];
  const both = teamsOf(state);
  if (both.length > 0 && contractView(state.view)) {
    return both.map((seats) => sideLine(state, seats, deck));
  }
  return state.room.seats.map((_, seat) => {
    const points = state.room.phase === "playing" ? running(state, seat) : "";
    return `${seatName(state.room, seat)}: ${points}${standing(state, seat)}`;
  });
}

/** The points in the round in progress, if the reader may see them and they matter. */
function running({ view }: TableState, seat: number): string {
  const points = view?.points[seat];
  return points == null || doubtView(view) ? "" : `${m.points_n({ n: points })}. `;
}

function standing({ view }: TableState, seat: number): string {
  const molotov = molotovView(view)?.standing[seat];
  if (molotov) return m.slate_strokes(countStrokes(molotov.strokes));
  const molotow = molotowView(view)?.standing[seat];
  if (molotow) {
    const { sticks, potatoes, net } = molotow;
    return m.slate_sticks({ sticks, potatoes, net: minusSigned(net) });
  }
  const differenzler = differenzlerView(view)?.standing[seat];
  if (differenzler) return `${m.col_total()} ${minusSigned(differenzler.difference)}.`;
  const jass = handjassView(view)?.standing[seat];
  if (jass) {
    const safe = jass.safe ? ` ${capitalized(m.part_safe())}.` : "";
    return m.slate_nulls(countStrokes(jass.strokes)) + safe;
  }
  const doubt = doubtView(view)?.standing[seat];
  if (doubt) return `${m.chips_n({ n: minusSigned(doubt.chips) })}.`;
  return plain(view, seat);
}

/** The standing in a game unknown to this page. */
function plain(view: TableState["view"], seat: number): string {
  if (!view) return "";
  const told = standingColumns(view.standing).map(
    ({ key, texts }) => `${columnLabel(key, view.game)} ${texts[seat] ?? ""}`,
  );
  return `${told.join(", ")}.`;
}

function sideLine(state: TableState, seats: readonly number[], deck: Deck): string {
  const view = contractView(state.view);
  const seat = seats[0] ?? 0;
  const total = view?.standing[seat]?.points ?? 0;
  const points = view?.points[seat] ?? 0;
  const so = state.room.phase === "playing" ? m.side_points({ points, total }) : `${m.col_total()} ${total}`;
  return `${teamName(state, seats)}: ${so}.${linesLeft(state, seat, deck)}`;
}

/** The lines that a side has not yet played in Coiffeur. */
function linesLeft(state: TableState, seat: number, deck: Deck): string {
  const view = coiffeurView(state.view);
  if (!view) return "";
  const written = lineScores(view, seat);
  const open = slateLines(view).filter((_, place) => written[place] === null);
  const names = open.map(({ text }) =>
    text.startsWith("joker")
      ? capitalized(richTextToString(contractLabel(view.game, text), deck))
      : lineText(state, text, deck),
  );
  return names.length > 0 ? ` ${m.lines_left()}: ${listNames(names)}.` : "";
}

/** The contract of this round and who announced it; null if there is none. */
export function contractLine(state: TableState, deck: Deck): string | null {
  const view = contractView(state.view);
  const text = view && announcedContract(view);
  if (!view || !text || view.by === null) return null;
  const times = view.factor !== null && view.factor > 1 ? `, ×${view.factor}` : "";
  return `${announcedText(state, text, deck)}${times}, ${byText(state, view.by)}`;
}

/** The end of the last round: its result for each player, and the standing. */
export function roundLines(state: TableState, deck: Deck): string[] {
  const { view, room } = state;
  const index = (view?.rounds.length ?? 0) - 1;
  const round = view?.rounds[index];
  if (!view || !round) return [];
  const contracts = contractView(view);
  if (contracts) {
    const played = announcedText(state, contractInRound(contracts, index), deck);
    const each = teamsOf(state).map((seats) => {
      const written = Number(contracts.rounds[index]?.marks[seats[0] ?? 0] ?? 0);
      return `${teamName(state, seats)} +${written}`;
    });
    return [`${played}: ${each.join(", ")}.`, ...standingLines(state, deck)];
  }
  const deal = doubtView(view)?.rounds[index];
  if (deal) return [dealResultSentence(deal, state), ...standingLines(state, deck)];
  const bids = differenzlerView(view)?.rounds[index]?.bids;
  return room.seats.map((_, seat) => {
    const points = m.points_n({ n: round.points[seat] ?? 0 });
    const bid = bids ? `, ${m.bid_n({ n: bids[seat] ?? 0 })}` : "";
    return `${seatName(room, seat)}: ${points}${bid}. ${standing(state, seat)}`;
  });
}
