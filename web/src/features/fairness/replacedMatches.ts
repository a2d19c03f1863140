// Judges the matches that were replaced by the next one: a server that dislikes a pack could begin another match, and
// nobody would ask for the proof of the last. Apart from the session, because most matches have none before them.
import { getRecord } from "../../api/rest";
import type { SeenMatch } from "../witness/seenMatch";
import type { Participant } from "./participant";
import { judgeRecord, missingRecord, type MissingRecord } from "./verdict";

/** When a record that did not come is asked for again. */
const PAUSES_MS = [0, 2_000, 10_000];

export interface ReplacedMatches {
  /** The matches whose deals were found wrong. */
  wrong: number[];
  /** The matches whose record the server did not give out. */
  unproven: number[];
  /** The matches whose record could not be fetched. */
  unfetched: number[];
}

/** Judges the replaced matches by their records, and forgets those whose proof holds. */
export async function judgeReplaced(
  participant: Participant,
  seen: SeenMatch,
  { table, key }: { table: string; key: string | null },
): Promise<ReplacedMatches> {
  const found: ReplacedMatches = { wrong: [], unproven: [], unfetched: [] };
  for (const part of [...participant.replaced]) {
    const { number } = part;
    if (part.trouble) {
      found.wrong.push(number);
      continue;
    }
    const text = await recordOf(table, number, key);
    if (typeof text !== "string") (text.refused ? found.unproven : found.unfetched).push(number);
    else if (judgeRecord(text, { ...part, seen: seen.of(number) })?.kind === "verified") {
      participant.forget(number);
      seen.forget(number);
    } else found.wrong.push(number);
  }
  return found;
}

/** The record of a match, or why it does not come. */
async function recordOf(table: string, number: number, key: string | null): Promise<string | MissingRecord> {
  let missing: MissingRecord = { refused: false };
  for (const pause of PAUSES_MS) {
    await new Promise((done) => setTimeout(done, pause));
    try {
      return await getRecord(table, number, key);
    } catch (error) {
      missing = missingRecord(error);
    }
  }
  return missing;
}
