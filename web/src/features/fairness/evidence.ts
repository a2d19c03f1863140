// Parses the `fair` part of a record: everything published about the deals of a match. It comes from a
// file or an untrusted server, so its form is validated strictly.
import { FairError } from "./errors";
import { FORMAT, type Hash, type MatchId } from "./hashing";
import { fieldsOf, hash, list, MAX_NUMBER, MAX_SEATS, whole } from "./validation";

/** The contribution of one seat to an attempt; `opening` is null if it did not open in time. */
export interface Contribution {
  seat: number;
  commitment: Hash;
  opening: Hash | null;
}

export interface Attempt {
  secret: Hash;
  people: Contribution[];
}

export interface Evidence {
  match: MatchId;
  ends: Hash[];
  packs: Attempt[][];
}

/** Parses evidence from plain JSON; throws a `FairError` if its form is invalid. */
export function readEvidence(plain: unknown): Evidence {
  const fields = fieldsOf(plain, ["format", "table", "match", "ends", "packs"], 0);
  if (fields.format !== FORMAT) throw new FairError(0, `the format is not ${FORMAT}`);
  return {
    match: { table: hash(fields.table, 0), number: whole(fields.match, 1, MAX_NUMBER, 0) },
    ends: list(fields.ends, 0).map((end) => hash(end, 0)),
    packs: list(fields.packs, 0).map((attempts, place) =>
      list(attempts, place + 1).map((one) => readAttempt(one, place + 1)),
    ),
  };
}

function readAttempt(plain: unknown, pack: number): Attempt {
  const fields = fieldsOf(plain, ["secret", "people"], pack);
  return {
    secret: hash(fields.secret, pack),
    people: list(fields.people, pack).map((one) => readContribution(one, pack)),
  };
}

function readContribution(plain: unknown, pack: number): Contribution {
  const { seat, commitment, opening } = fieldsOf(plain, ["seat", "commitment", "opening"], pack);
  return {
    seat: whole(seat, 0, MAX_SEATS - 1, pack),
    commitment: hash(commitment, pack),
    opening: opening === null ? null : hash(opening, pack),
  };
}
