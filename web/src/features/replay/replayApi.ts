// The server's API for finished matches.
import type { AnalysisState, CreatedTable, Replay, ResumeMatch } from "../../api/messages";
import { callTableApi } from "../../api/rest";

/** A finished match, step by step, as the reader saw it. */
export async function getReplay(table: string, match: number, key: string | null): Promise<Replay> {
  return (await callTableApi(table, `/matches/${match}/replay`, key)).json() as Promise<Replay>;
}

/** Creates a table at which the reader continues from a step of a match. */
export async function resumeFromStep(
  table: string,
  match: number,
  key: string | null,
  wish: ResumeMatch,
): Promise<CreatedTable> {
  const path = `/matches/${match}/resume`;
  return (await callTableApi(table, path, key, "POST", wish)).json() as Promise<CreatedTable>;
}

/** The state of a match's analysis; with `ask` it is started unless it exists. */
export async function getAnalysis(
  table: string,
  match: number,
  key: string | null,
  locale: string,
  ask: boolean,
): Promise<AnalysisState> {
  const path = `/matches/${match}/analysis?lang=${locale}`;
  return (await callTableApi(table, path, key, ask ? "POST" : "GET")).json() as Promise<AnalysisState>;
}
