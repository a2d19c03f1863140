// The seats that a spectator may take or ask for, and the seat that they have left in this match.
import type { TableState } from "./tableState";

export interface VacantSeat {
  seat: number;
  /** The seat is kept for the person who left it: others may only ask the host for it. */
  kept: boolean;
}

/**
 * The free seats, and those that a bot plays for people who have left.
 *
 * @param letsIn - whether the reader may sit down without asking.
 * @param asked - whether the reader has already asked for a seat.
 */
export function vacantSeats(table: TableState, letsIn: boolean, asked: boolean): VacantSeat[] {
  const { room, kept } = table;
  if (room.entry === "nobody" && !letsIn) return [];
  const former = inMatch(table) ? table.former : null;
  return room.seats.flatMap((info, seat) => {
    if (info.kind !== "open" && !info.left) return [];
    // Who knows one hand of a match can't take another.
    if (former !== null && former !== seat) return [];
    const one = { seat, kept: kept[seat] ?? false };
    return (letsIn && !one.kept) || !asked ? [one] : [];
  });
}

export interface FormerSeat {
  seat: number;
  /** Who has it now: the bot that plays for the reader, another person, or a bot for good. */
  holder: "kept" | "person" | "bot";
}

/** The seat that the reader has left in the match in progress; null for none. */
export function formerSeat(table: TableState): FormerSeat | null {
  const { room, seat, former } = table;
  if (former === null || seat !== null || !inMatch(table)) return null;
  const info = room.seats[former];
  if (!info) return null;
  if (info.kind === "person") return { seat: former, holder: "person" };
  return { seat: former, holder: info.left || info.kind === "open" ? "kept" : "bot" };
}

function inMatch({ room }: TableState): boolean {
  return room.phase === "playing" || room.phase === "between";
}
