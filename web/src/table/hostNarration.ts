// The host's decisions as events, and as sentences for everybody.
import { m } from "../i18n";
import type { Event, RoomInfo } from "../api/messages";
import type { TableState } from "./tableState";
import { requestName, seatName } from "./playerNames";

export type HostEvent =
  | { kind: "admission"; entry: RoomInfo["entry"] }
  | { kind: "starters"; who: RoomInfo["starters"] }
  | { kind: "writing"; allowed: boolean }
  | { kind: "published"; published: boolean }
  | { kind: "delayed"; delayed: boolean }
  | { kind: "relinked" }
  | { kind: "asked"; name: string }
  | { kind: "removed"; seat: number; name: string }
  | { kind: "given"; seat: number; open: boolean }
  | { kind: "patience"; seat: number; patient: boolean }
  | { kind: "host"; seat: number };

/** What the host decided with this event, or was asked to decide. */
export function hostEvents(before: TableState, { event }: Event, { room }: TableState): HostEvent[] {
  const { kind, seat } = event;
  if (kind === "admission") return [{ kind, entry: room.entry }];
  if (kind === "starters") return [{ kind, who: room.starters }];
  if (kind === "writing") return [{ kind, allowed: room.writing ?? false }];
  if (kind === "published") return [{ kind, published: room.published ?? false }];
  if (kind === "delayed") return [{ kind, delayed: room.delayed ?? false }];
  if (kind === "relinked") return [{ kind }];
  if (kind === "asked") {
    const asked = room.requests.at(-1);
    return asked ? [{ kind, name: requestName(asked) }] : [];
  }
  if (seat === null) return [];
  if (kind === "removed") return [{ kind, seat, name: seatName(before.room, seat) }];
  if (kind === "given") return [{ kind, seat, open: room.seats[seat]?.kind === "open" }];
  if (kind === "patience") return [{ kind, seat, patient: room.seats[seat]?.patient ?? false }];
  return [];
}

/** The new host after the previous one left. */
export function hostChangeEvents(before: TableState, after: TableState): HostEvent[] {
  const seat = after.room.host;
  return seat === null || seat === before.room.host ? [] : [{ kind: "host", seat }];
}

/** The sentence for it. */
export function hostSentence(event: HostEvent, { room, seat: me }: TableState): string {
  switch (event.kind) {
    case "admission":
      if (event.entry === "link") return m.now_entry_link();
      return event.entry === "host" ? m.now_entry_host() : m.now_entry_nobody();
    case "starters":
      return event.who === "all" ? m.now_starters_all() : m.now_starters_host();
    case "writing":
      return event.allowed ? m.now_writing() : m.now_not_writing();
    case "published":
      return event.published ? m.now_published() : m.now_not_published();
    case "delayed":
      return event.delayed ? m.now_delayed() : m.now_not_delayed();
    case "relinked":
      return m.now_relinked();
    case "asked":
      return m.now_asked({ name: event.name });
    case "removed":
      return m.now_removed({ name: event.name });
    case "given":
      return event.open ? m.now_opened({ n: event.seat + 1 }) : m.now_given({ n: event.seat + 1 });
    case "patience": {
      const name = seatName(room, event.seat);
      return event.patient ? m.now_patient({ name }) : m.now_not_patient({ name });
    }
    case "host":
      return event.seat === me ? m.now_host_you() : m.now_host({ name: seatName(room, event.seat) });
  }
}
