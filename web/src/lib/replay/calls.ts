// What the server is asked about a match that is over.
import type { AnalysisState, Replay } from "../messages";
import { look } from "../protocol/rest";

/** A match that is over, step by step, as the reader saw it. */
export async function replayOf(table: string, match: number, key: string | null): Promise<Replay> {
  return (await look(table, `/matches/${match}/replay`, key)).json() as Promise<Replay>;
}

/** How it stands with the analysis of a match; with `ask` it is worked out unless it is there. */
export async function analysisOf(
  table: string,
  match: number,
  key: string | null,
  locale: string,
  ask: boolean,
): Promise<AnalysisState> {
  const path = `/matches/${match}/analysis?lang=${locale}`;
  return (await look(table, path, key, ask ? "POST" : "GET")).json() as Promise<AnalysisState>;
}
