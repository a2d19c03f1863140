// Occasional remarks of bots at moments that everybody has seen. They are derived from the events and the
// table's id, so all clients agree and nothing is sent or stored. They use public information only, so
// they reveal nothing.
import { contractView, handjassView } from "../../api/narrowGameView";
import type { TableState } from "../../table/tableState";
import { hashText } from "../../browser/hashText";
import { botPersonas } from "../../table/botPersonas";
import type { GameEvent } from "../play/gameEvents";
import type { Phrase } from "../../table/phrases";

export interface BotRemark {
  seat: number;
  phrase: Phrase;
}

/** The number of suitable moments per remark. */
const MOMENTS_PER_REMARK = 3;

/** The remarks about these events, by one bot at most. */
export function botRemarks(events: readonly GameEvent[], state: TableState): BotRemark[] {
  for (const one of events) {
    const said = remark(one, state);
    if (said) return [said];
  }
  return [];
}

function remark(event: GameEvent, state: TableState): BotRemark | null {
  const { room, view } = state;
  const rounds = view?.rounds.length ?? 0;
  const moment = `${room.table}:${room.number}:${rounds}:${view?.tricks.length ?? 0}:${event.kind}`;
  switch (event.kind) {
    case "dealt":
      if (event.round !== 1) return null;
      return by(() => true, room.number === 1 ? "hello" : "good_luck", moment, state);
    case "over": {
      const won = (seat: number) => event.winners.includes(seat);
      return by((seat) => !won(seat), "well_played", moment, state) ?? by(won, "thanks", moment, state);
    }
    case "molotov":
      return by((seat) => seat === event.molotov.seat, "oops", moment, state, MOMENTS_PER_REMARK);
    case "round": {
      const tricks = "tricks" in event.round ? event.round.tricks : [];
      const takers = new Set(tricks.map(({ winner }) => camp(winner, state)));
      if (takers.size !== 1) return null;
      return by((seat) => !takers.has(camp(seat, state)), "bravo", moment, state);
    }
    case "trick": {
      const trump = contractView(view) || handjassView(view) ? view?.trump : null;
      const bur = trump ? event.cards.find(([, card]) => card === `J${trump}`) : undefined;
      if (bur?.[0] !== event.winner) return null;
      return by((seat) => seat !== event.winner, "bravo", moment, state, MOMENTS_PER_REMARK);
    }
    default:
      return null;
  }
}

/** The index of a seat's side, the same for everybody. */
function camp(seat: number, { room }: TableState): number {
  return room.sides.findIndex((side) => side.includes(seat));
}

/** A remark by one of the bots that may make it, at one in `seldom` moments. */
function by(
  may: (seat: number) => boolean,
  phrase: Phrase,
  moment: string,
  { room }: TableState,
  seldom = 1,
): BotRemark | null {
  const able = botPersonas(room).flatMap((one, seat) => (one && may(seat) ? [seat] : []));
  const seed = hashText(moment);
  const seat = able[seed % able.length];
  return seat === undefined || Math.floor(seed / 64) % seldom !== 0 ? null : { seat, phrase };
}
