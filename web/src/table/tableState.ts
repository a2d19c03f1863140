// The state of a table as this reader knows it, folded from the server's messages. Pure: a message and the
// state before give the state after, so a reload and a live connection show the same table.
import type {
  Event,
  EventInfo,
  Presence,
  RoomInfo,
  Snapshot,
  Turn,
  TutorialHint,
  View,
  ViewChange,
} from "../api/messages";

/** A card on the table, and the seat that played it. */
export type SeatCard = [seat: number, card: string];

export interface TableState {
  table: string;
  version: number;
  /** The reader's seat; null for a spectator. */
  seat: number | null;
  room: RoomInfo;
  /** Null before the first match. */
  view: View | null;
  turn: Turn | null;
  /** The current text of the tutorial. */
  hint: TutorialHint | null;
  /** Whether the reader may ask to take their last card back. */
  undoable: boolean;
  /** Which seats' people have a connection open; empty until the server says. */
  connected: boolean[];
  /** Which seats wait for a bot that is still warming up. */
  preparing: boolean[];
  /** Which seats' people have had no connection for a while. */
  missing: boolean[];
  /** Which seats are kept for people who have left during the match. */
  kept: boolean[];
  /** The number of people who watch without a seat. */
  spectators: number;
  /** Whether the last snapshot had the reader as host; if the host has a seat, the room names it. */
  host: boolean;
  /** The number of the reader's join request. */
  request: number | null;
  /** For each seat its last action besides the play of a card since the cards were dealt. */
  said: readonly (string | null)[];
  /** The seat that the reader has left in this match; null for none. */
  former: number | null;
}

/** The result of applying an event: `old` if already applied, `gap` if events before it are missing. */
export type ApplyResult = { kind: "state"; state: TableState } | { kind: "old" } | { kind: "gap" };

/** The state of a snapshot; presence already known for this table is kept. */
export function fromSnapshot(message: Snapshot, before: TableState | null): TableState {
  return {
    table: message.table,
    version: message.version,
    seat: message.seat,
    room: message.room,
    view: message.view,
    turn: message.turn,
    hint: message.hint,
    undoable: message.undoable ?? false,
    host: message.host,
    request: message.request,
    said: message.said ?? [],
    former: message.former ?? null,
    ...presenceOf(before?.table === message.table ? before : null),
  };
}

/** The table while disconnected, when it is unknown whose turn it is. */
export function withoutTurn(state: TableState): TableState {
  const view = state.view && { ...state.view, to_act: [] };
  return { ...state, view, turn: null, hint: null, undoable: false };
}

/** Applies an event: `set` replaces keys of the view, `last` replaces the last item of its lists, and
 * `append` adds items to their ends. */
export function applyEvent(state: TableState, message: Event): ApplyResult {
  if (message.version <= state.version) return { kind: "old" };
  if (message.version !== state.version + 1) return { kind: "gap" };
  const room: RoomInfo = { ...state.room, ...message.room };
  return {
    kind: "state",
    state: {
      ...state,
      version: message.version,
      room,
      request: room.requests.some(({ number }) => number === state.request) ? state.request : null,
      view: changedView(state.view, message),
      turn: message.turn,
      hint: message.hint,
      undoable: message.undoable ?? false,
      said: saidAfter(state, message.event),
    },
  };
}

const CARD_ACTION = /^(play|lay) /;

/** What each seat has said after an event; a new pack and a new match clear it. */
function saidAfter({ said, room }: TableState, { kind, seat, action }: EventInfo): TableState["said"] {
  if (kind === "started" || kind === "rematch") return [];
  if (kind === "pack") return room.seats.map(() => null);
  if (kind !== "acted" || !action || CARD_ACTION.test(action)) return said;
  return said.map((before, other) => (other === seat ? action : before));
}

type Present = Pick<TableState, "connected" | "preparing" | "missing" | "kept" | "spectators">;

/** Presence, which is not part of the table's versions; empty until it is known. */
export function presenceOf(known: Present | null): Present {
  return {
    connected: known?.connected ?? [],
    preparing: known?.preparing ?? [],
    missing: known?.missing ?? [],
    kept: known?.kept ?? [],
    spectators: known?.spectators ?? 0,
  };
}

/** The state with updated presence. */
export function applyPresence(state: TableState, message: Presence): TableState {
  return { ...state, ...presenceOf(message) };
}

function changedView(view: View | null, message: Event): View | null {
  const grown = Object.entries(message.append);
  if (view === null && Object.keys(message.set).length === 0) return null;
  const changed: Record<string, unknown> = { ...view, ...(message.set as ViewChange) };
  for (const [key, item] of Object.entries(message.last)) {
    const list = changed[key];
    if (Array.isArray(list)) changed[key] = [...list.slice(0, -1), item];
  }
  for (const [key, items] of grown) {
    const list = changed[key];
    changed[key] = Array.isArray(list) ? [...list, ...items] : items;
  }
  return changed as unknown as View;
}
