// The REST API of the server. Every failure becomes a `ServerError` with the protocol's error code.
import type {
  CreatedTable,
  ErrorBody,
  GameInfo,
  GameSummary,
  GameTexts,
  IdentityInfo,
  IssuedCode,
  JoinCodeTarget,
  MatchHistoryPage,
  NewTable,
  PublicTables,
  RoomInfo,
} from "./messages";

import { fetchWithLimit } from "./fetchWithLimit";
import { cataloguePath, gamePath, gameTextsPath, IDENTITY_PATH, PUBLIC_TABLES_PATH } from "./paths";

export type ErrorCode = ErrorBody["code"] | "network";

/** A refusal by the server, or `network` if it could not be reached. */
export class ServerError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
  ) {
    super(message);
  }
}

async function call(path: string, init?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetchWithLimit(path, init);
  } catch {
    throw new ServerError("network", `no answer for ${path}`);
  }
  if (response.ok) return response;
  throw await refusal(response);
}

async function refusal(response: Response): Promise<ServerError> {
  try {
    const body = (await response.json()) as Partial<ErrorBody>;
    if (body.code && body.message !== undefined) return new ServerError(body.code, body.message);
  } catch {
    // Not the server's error format: a proxy answered in its place.
  }
  const code = response.status >= 500 ? "network" : "bad_message";
  return new ServerError(code, `status ${response.status}`);
}

/** Resolves if the server answers. */
export async function reachServer(): Promise<void> {
  await call("/api/house");
}

/** All games in a few words, as they are listed; `version` is that of the page's configuration. */
export async function getCatalogue(locale: string, version: string): Promise<GameSummary[]> {
  return (await call(cataloguePath(locale, version))).json() as Promise<GameSummary[]>;
}

/** A game of the server with its options. */
export async function getGame(game: string): Promise<GameInfo> {
  return (await call(gamePath(game))).json() as Promise<GameInfo>;
}

/** The texts of a game in a language; `version` is that of the page's configuration. */
export async function getGameTexts(game: string, locale: string, version: string): Promise<GameTexts> {
  return (await call(gameTextsPath(game, locale, version))).json() as Promise<GameTexts>;
}

/** The rule sheet of a game as Markdown; null if it has none. */
export async function getRuleSheet(game: string, locale: string): Promise<string | null> {
  try {
    return await (await call(`/api/sheets/${game}/${locale}`)).text();
  } catch (error) {
    if (error instanceof ServerError && error.code === "not_found") return null;
    throw error;
  }
}

/** Creates an identity for this browser unless it has one. */
export async function ensureIdentity(): Promise<void> {
  await call(IDENTITY_PATH, { method: "POST" });
}

async function post(path: string, body?: object): Promise<Response> {
  if (body === undefined) return call(path, { method: "POST" });
  const headers = { "Content-Type": "application/json" };
  return call(path, { method: "POST", headers, body: JSON.stringify(body) });
}

/** The reader's devices; none without an identity. */
export async function getIdentity(): Promise<IdentityInfo> {
  return (await call(IDENTITY_PATH)).json() as Promise<IdentityInfo>;
}

/** A short-lived single-use code for another device; creates an identity if there is none. */
export async function createDeviceCode(): Promise<IssuedCode> {
  await ensureIdentity();
  return (await post("/api/identity/link")).json() as Promise<IssuedCode>;
}

/** A recovery code to write down; it replaces the previous one. */
export async function createRecoveryCode(): Promise<IssuedCode> {
  await ensureIdentity();
  return (await post("/api/identity/recovery")).json() as Promise<IssuedCode>;
}

/** Adds this device to the identity that issued the code; `give_up`: though it is the last of another one. */
export async function redeemCode(code: string, give_up: boolean): Promise<IdentityInfo> {
  return (await post("/api/identity/take", { code, give_up })).json() as Promise<IdentityInfo>;
}

/** Removes one of the reader's devices; `give_up`: though nothing else leads to the reader. */
export async function removeDevice(device: string, give_up: boolean): Promise<void> {
  await post("/api/identity/forget", { device, give_up });
}

/** Deletes the reader's identity and gives up its seats. */
export async function deleteIdentity(): Promise<void> {
  await post("/api/identity/forget-me");
}

/** Reports the name on a seat to the operator of the server. */
export async function reportName(table: string, seat: number): Promise<void> {
  await post(`/api/tables/${table}/report`, { seat });
}

/** Creates a table, with the creator's seat. */
export async function createTable(table: NewTable): Promise<CreatedTable> {
  const response = await post("/api/tables", table);
  return response.json() as Promise<CreatedTable>;
}

/** The tables that their hosts have published. */
export async function listPublicTables(): Promise<PublicTables> {
  return (await call(PUBLIC_TABLES_PATH)).json() as Promise<PublicTables>;
}

/** A short code that leads to a table like its link. */
export async function createTableCode(table: string, key: string | null): Promise<IssuedCode> {
  return (await callTableApi(table, "/code", key, "POST")).json() as Promise<IssuedCode>;
}

/** Resolves a short code for a table. */
export async function resolveTableCode(code: string): Promise<JoinCodeTarget> {
  return (await post("/api/codes", { code })).json() as Promise<JoinCodeTarget>;
}

/** The public state of a table; `key` is the additional key of a renewed link. */
export async function getRoom(table: string, key: string | null): Promise<RoomInfo> {
  return (await callTableApi(table, "", key)).json() as Promise<RoomInfo>;
}

/** The record of the table's latest finished match, as the text of a file. */
export async function getLatestRecord({ table, key }: RoomInfo): Promise<string> {
  return (await callTableApi(table, "/record", key)).text();
}

/** The record of a match of a table by its number, as the text of a file. */
export async function getRecord(table: string, match: number, key: string | null): Promise<string> {
  return (await callTableApi(table, `/matches/${match}/record`, key)).text();
}

/** A page of the reader's matches, latest first; `before` is the `next` of the previous page. */
export async function listMyMatches(locale: string, before: string | null): Promise<MatchHistoryPage> {
  const after = before === null ? "" : `&before=${encodeURIComponent(before)}`;
  return (await call(`/api/me/matches?lang=${locale}${after}`)).json() as Promise<MatchHistoryPage>;
}

/** Everything stored about the reader, as a file. */
export async function exportMyData(): Promise<Blob> {
  return (await call("/api/me/export")).blob();
}

/** Calls the API of a table with the key of its link. */
export function callTableApi(
  table: string,
  path: string,
  key: string | null,
  method: "GET" | "POST" = "GET",
  body?: object,
): Promise<Response> {
  const headers: Record<string, string> = key === null ? {} : { "Jasstisch-Key": key };
  const init: RequestInit = { method, headers };
  if (body !== undefined) {
    headers["Content-Type"] = "application/json";
    init.body = JSON.stringify(body);
  }
  return call(`/api/tables/${table}${path}`, init);
}
