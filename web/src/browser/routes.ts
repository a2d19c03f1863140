// The addresses of the page: `/` for the start page, `/me` for the reader's matches, `/t/<table>` for a
// table, and `/t/<table>/replay/<match>` for the replay of one of its matches, with `?step=<n>` at a move.
// Once the host has renewed the link, its key follows a `#`: a fragment never leaves the browser, so it
// appears in no log and no Referer.

export type Route =
  | { name: "start" }
  | { name: "own" }
  | { name: "table"; table: string; key: string | null }
  | { name: "replay"; table: string; match: number; key: string | null }
  | { name: "unknown" };

/** The path of the page with the reader's matches. */
export const MY_MATCHES_PATH = "/me";

/** The route of a path; only the form of a table's id is checked. */
export function parseRoute(path: string, hash = ""): Route {
  if (path === "/" || path === "") return { name: "start" };
  if (path === MY_MATCHES_PATH) return { name: "own" };
  const [, table, match] = /^\/t\/([A-Za-z0-9_-]{1,64})(?:\/replay\/([1-9][0-9]{0,5}))?\/?$/.exec(path) ?? [];
  const key = /^#k=([A-Za-z0-9_-]{1,32})$/.exec(hash)?.[1] ?? null;
  if (!table) return { name: "unknown" };
  return match ? { name: "replay", table, match: Number(match), key } : { name: "table", table, key };
}

/**
 * The path of a table, also used in the link that people share. There `lang` is the language of the
 * preview in messengers, which do not know the reader's language.
 */
export function tablePath(table: string, key: string | null = null, lang = ""): string {
  return `/t/${table}${lang && `?lang=${lang}`}${key === null ? "" : `#k=${key}`}`;
}

/** The path of a match's replay, at a step or a round if one is given. */
export function replayPath(
  table: string,
  match: number,
  key: string | null = null,
  place: { step: number } | { round: number } | null = null,
): string {
  const at = place === null ? "" : "step" in place ? `?step=${place.step}` : `?round=${place.round}`;
  return `/t/${table}/replay/${match}${at}${key === null ? "" : `#k=${key}`}`;
}
