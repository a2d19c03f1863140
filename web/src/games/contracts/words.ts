// Texts of Schieber and Coiffeur: who announced what, who shows Weis, which team has won.
import { suitName } from "../../cards/cardNames";
import { richTextToString } from "../../cards/richTextToString";
import { capitalized, m } from "../../i18n";
import type { TableState } from "../../table/tableState";
import type { Deck } from "../../settings/settings.svelte";
import { seatName } from "../../table/playerNames";
import { partners, teamPlayerNames, teamsOf } from "../../table/teams";
import { actionLabel, contractLabel } from "../actionLabels";
import { parseContract, factorOf } from "./model";
import type { ContractView } from "../../api/narrowGameView";

/** A contract as announced: `Rosen Trumpf`, `Joker ×7: Obenabe` (with its factor). */
export function announcedText(state: TableState, text: string, deck: Deck): string {
  const said = capitalized(richTextToString(actionLabel(state.room.game, text), deck));
  const joker = /^joker (\d+) /.exec(text);
  // The factor is shown next to it and not repeated.
  return joker ? said.replace(` ×${joker[1]}`, "") : said;
}

/** Who announced. */
export function byText({ room, seat }: TableState, by: number): string {
  return by === seat ? m.announced_by_you() : m.announced_by({ name: seatName(room, by) });
}

/** The rank direction of the current trick. */
export function rankDirectionText(state: TableState, way: "tops" | "bottoms"): string {
  return m.way_now({ way: richTextToString(actionLabel(state.room.game, way), "french") });
}

/** An announcement with its factor, for screen readers; a joker's name already has it. */
export function contractQuote(view: ContractView, action: string, said: string): string {
  const factor = factorOf(action, view);
  return factor === 1 || action.startsWith("joker") || action === "push"
    ? said
    : m.contract_times({ what: said, n: factor });
}

/** The side that shows its Weis, and their points. */
export function teamWeisTitle(seat: number, points: number, state: TableState): string {
  const seats = partners(state, seat);
  return state.seat !== null && seats.includes(state.seat)
    ? m.weis_shows_we({ points })
    : m.weis_shows_they({ names: teamPlayerNames(state, seats), points });
}

/** The side that won; all four players if both sides are equal. */
export function teamWinsText(winners: readonly number[], state: TableState): string {
  const [side] = teamsOf(state).filter((seats) => seats.some((seat) => winners.includes(seat)));
  if (!side || winners.length > side.length) return m.both_sides_win();
  if (state.seat === null || !side.includes(state.seat)) {
    return m.side_wins({ names: teamPlayerNames(state, side) });
  }
  const others = side.filter((seat) => seat !== state.seat);
  return m.side_wins_you({ names: teamPlayerNames(state, others) });
}

/** The name of a line of the slate, without the factor shown next to it. */
export function lineText(state: TableState, line: string, deck: Deck): string {
  const suit = parseContract(line)?.suit;
  if (suit) return capitalized(suitName(suit, deck));
  const said = capitalized(richTextToString(contractLabel(state.room.game, line), deck));
  return said.replace(/\s*×\d+$/, "");
}

/** The same without an alternative name in brackets, for the slate's narrow column: `Tops`. */
export function slateText(state: TableState, line: string, deck: Deck): string {
  return lineText(state, line, deck).replace(/\s*\(.*\)$/, "");
}
