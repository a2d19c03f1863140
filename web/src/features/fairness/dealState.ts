// The state of the deals as the server tells it. It comes from an untrusted server, so its form is validated.
import type { Announcement, Call, Void } from "./dealContributor";
import { FairError } from "./errors";
import { fieldsOf, hash, list, MAX_NUMBER, MAX_SEATS, whole } from "./validation";

export interface DealState {
  announcement: Announcement;
  /** The first pack that is not called yet, for which commitments are accepted. */
  nextPack: number;
  /** The call whose openings are awaited. */
  call: Call | null;
  /** The last void attempt at the last pack called; without a call that pack is decided. */
  voided: Void | null;
}

const seatIn = (plain: unknown, pack: number): number => whole(plain, 0, MAX_SEATS - 1, pack);

/** Parses the state of the deals; throws a `FairError` if its form is invalid. */
export function readDealState(plain: unknown): DealState {
  const fields = fieldsOf(plain, ["announcement", "next_pack", "call", "void", "asked"], 0);
  const nextPack = whole(fields.next_pack, 1, MAX_NUMBER, 0);
  const call = fields.call === null ? null : readCall(fields.call);
  const voided = fields.void === null ? null : readVoid(fields.void);
  for (const part of [call, voided]) {
    if (part && part.pack !== nextPack - 1) throw new FairError(part.pack, "it is not the last one called");
  }
  return { announcement: readAnnouncement(fields.announcement), nextPack, call, voided };
}

function readAnnouncement(plain: unknown): Announcement {
  const { match, end } = fieldsOf(plain, ["match", "end"], 0);
  const { table, number } = fieldsOf(match, ["table", "number"], 0);
  return { match: { table: hash(table, 0), number: whole(number, 1, MAX_NUMBER, 0) }, end: hash(end, 0) };
}

function readCall(plain: unknown): Call {
  const fields = fieldsOf(plain, ["pack", "position", "ends", "commitments"], 0);
  const pack = whole(fields.pack, 1, MAX_NUMBER, 0);
  const seats = fields.commitments;
  if (typeof seats !== "object" || seats === null || Array.isArray(seats)) {
    throw new FairError(pack, "a list of commitments is needed for each seat");
  }
  const commitments = Object.entries(seats).map(([seat, made]) => {
    const number = seatIn(Number(seat), pack);
    if (String(number) !== seat) throw new FairError(pack, `${seat} is no seat`);
    return [number, list(made, pack).map((one) => hash(one, pack))] as const;
  });
  return {
    pack,
    position: whole(fields.position, 0, MAX_NUMBER, pack),
    ends: list(fields.ends, pack).map((end) => hash(end, pack)),
    commitments: Object.fromEntries(commitments),
  };
}

function readVoid(plain: unknown): Void {
  const fields = fieldsOf(plain, ["pack", "attempt", "missing"], 0);
  const pack = whole(fields.pack, 1, MAX_NUMBER, 0);
  const missing = list(fields.missing, pack).map((seat) => seatIn(seat, pack));
  return { pack, attempt: whole(fields.attempt, 1, MAX_NUMBER, pack), missing };
}
