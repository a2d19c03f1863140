// The verdict on the deals of a match once its record is available.
import { FairError } from "./errors";
import type { Hash } from "./hashing";
import { readRecord, verifyDeals, type Findings } from "./verify";
import type { Witness } from "./witness";

export type Verdict =
  | {
      kind: "verified";
      findings: Findings;
      /** What the server had bound itself to before the match. */
      end: Hash;
      /** How many packs this page has had a part in; null where it was not there. */
      own: number | null;
    }
  | { kind: "wrong"; pack: number };

/**
 * What is to be said of the deals of a record: verified by itself, and held against what this page
 * was told while the match ran, where it was there. Null where nothing was published of them.
 */
export function judgeRecord(record: unknown, witness: Witness | null): Verdict | null {
  try {
    const read = readRecord(record);
    if (!read) return null;
    const own = witness?.compare(read.evidence) ?? null;
    const findings = verifyDeals(read);
    return { kind: "verified", findings, end: read.evidence.ends[0] ?? "", own };
  } catch (error) {
    if (error instanceof FairError) return { kind: "wrong", pack: error.pack };
    throw error;
  }
}
