// The verdict on the deals of a match once its record is available.
import { ServerError, type ErrorCode } from "../../api/rest";
import { compareEvidence, noShares, type PackShares } from "./compareEvidence";
import { FairError, type ReplacedCommitment } from "./errors";
import type { Hash } from "./hashing";
import type { Part } from "./participant";
import { dealingOf } from "../../games/dealing";
import { compareMatch, type PlayedMatch } from "../witness/compareMatch";
import type { MatchNotes } from "../witness/seenMatch";
import { readRecord, verifyDeals, type Findings } from "./verify";

/** What this page has seen of a match. */
export interface Witness extends Pick<Part, "contributor" | "trouble"> {
  /** The hands, actions and the result; null for nothing. */
  seen: MatchNotes | null;
}

export type Verdict =
  | {
      kind: "verified";
      findings: Findings;
      /** The chain end to which the server had committed before the first pack. */
      end: Hash;
      /** Whether this device knew the commitment by the first pack, and found it to be the same. */
      compared: boolean;
      /** The part of this device in the packs. */
      shares: PackShares;
      /** Whether the hands are not compared, because it is not known how the game is dealt. */
      handsUnknown: boolean;
      /** Whether this page was there, and has not seen all of the match, so that it could not compare the rest. */
      partly: boolean;
    }
  /** The record does not hold, or contradicts what the page has seen. */
  | { kind: "wrong"; pack: number; replaced?: ReplacedCommitment; otherMatch?: true }
  /** The server did something during the match that it may not do. */
  | { kind: "broken"; pack: number }
  /** The record proves nothing, although the match was announced as verifiable. */
  | { kind: "silent" };

/** Why a record does not come: a refusal is told otherwise than a line or a server that fails. */
export interface MissingRecord {
  refused: boolean;
}

/** The failures after which a later attempt may succeed. */
const PASSING: ReadonlySet<ErrorCode> = new Set(["network", "busy", "internal", "too_fast"]);

export const missingRecord = (error: unknown): MissingRecord => ({
  refused: error instanceof ServerError && !PASSING.has(error.code),
});

/** The JSON of a text; null if it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The verdict where the page has found trouble, whatever the record says; null otherwise. */
export function judgeTrouble(witness: Witness | null): Verdict | null {
  return witness?.trouble ? { kind: "broken", pack: witness.trouble.pack } : null;
}

/**
 * The verdict on the deals of a record: verified on its own, and compared with what this page has seen of the
 * match, if anything. The record of a match at a `closed` table may end before its last pack. Null if the record
 * contains no evidence, and none was announced.
 */
export function judgeRecord(text: string, witness: Witness | null, closed = false): Verdict | null {
  const broken = judgeTrouble(witness);
  if (broken) return broken;
  try {
    const record = parsed(text);
    const read = readRecord(record);
    if (!read) return witness?.contributor ? { kind: "silent" } : null;
    const { evidence, packs, over } = read;
    if (!over && !closed) throw new FairError(0, "the match is not over");
    const findings = verifyDeals(read);
    const memory = witness?.contributor?.memory;
    const shares = memory ? compareEvidence(memory, evidence, !over) : noShares(packs.length);
    const { seen = null } = witness ?? {};
    const played = record as PlayedMatch;
    const compared = seen && compareMatch(seen, played);
    if (compared === "other") return { kind: "wrong", pack: 0, otherMatch: true };
    return {
      kind: "verified",
      findings,
      end: evidence.ends[0] ?? "",
      compared: memory?.seen.some(([pack]) => pack === 1) ?? false,
      shares,
      handsUnknown: seen !== null && dealingOf(played.game) === null,
      partly: witness !== null && compared !== "same",
    };
  } catch (error) {
    if (error instanceof FairError) {
      const { pack, replaced } = error;
      return replaced ? { kind: "wrong", pack, replaced } : { kind: "wrong", pack };
    }
    throw error;
  }
}
