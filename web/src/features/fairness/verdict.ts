// The verdict on the deals of a match once its record is available.
import { FairError } from "./errors";
import type { Hash } from "./hashing";
import type { Participant } from "./participant";
import { readRecord, verifyDeals, type Findings } from "./verify";

export type Verdict =
  | {
      kind: "verified";
      findings: Findings;
      /** The chain end to which the server had committed before the match. */
      end: Hash;
      /** The number of packs to which this page contributed; null if it has seen nothing of the match. */
      own: number | null;
    }
  /** The record does not hold, or contradicts what the page has seen. */
  | { kind: "wrong"; pack: number }
  /** The server did something during the match that it may not do. */
  | { kind: "broken"; pack: number }
  /** The record proves nothing, although the match was announced as verifiable. */
  | { kind: "silent" };

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FairError(0, "not a record");
  }
}

/**
 * The verdict on the deals of a record: verified on its own, and compared with what this page has seen of the
 * match, if anything. Null if the record contains no evidence, and none was announced.
 */
export function judgeRecord(
  text: string,
  witness: Pick<Participant, "contributor" | "trouble"> | null,
): Verdict | null {
  if (witness?.trouble) return { kind: "broken", pack: witness.trouble.pack };
  try {
    const read = readRecord(parsed(text));
    if (!read) return witness?.contributor ? { kind: "silent" } : null;
    const own = witness?.contributor?.compare(read.evidence) ?? null;
    const findings = verifyDeals(read);
    return { kind: "verified", findings, end: read.evidence.ends[0] ?? "", own };
  } catch (error) {
    if (error instanceof FairError) return { kind: "wrong", pack: error.pack };
    throw error;
  }
}
