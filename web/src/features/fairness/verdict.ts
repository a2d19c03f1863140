// The verdict on the deals of a match once its record is available.
import { FairError } from "./errors";
import type { Hash } from "./hashing";
import { readRecord, verifyDeals, type Findings } from "./verify";
import type { DealContributor } from "./dealContributor";

export type Verdict =
  | {
      kind: "verified";
      findings: Findings;
      /** The chain end to which the server had committed before the match. */
      end: Hash;
      /** The number of packs to which this page contributed; null if it has no contributor. */
      own: number | null;
    }
  | { kind: "wrong"; pack: number };

/**
 * The verdict on the deals of a record: verified on its own, and compared with this page's contributor of the
 * match, if there is one. Null if the record contains no evidence.
 */
export function judgeRecord(record: unknown, contributor: DealContributor | null): Verdict | null {
  try {
    const read = readRecord(record);
    if (!read) return null;
    const own = contributor?.compare(read.evidence) ?? null;
    const findings = verifyDeals(read);
    return { kind: "verified", findings, end: read.evidence.ends[0] ?? "", own };
  } catch (error) {
    if (error instanceof FairError) return { kind: "wrong", pack: error.pack };
    throw error;
  }
}
