// The tables this browser has recently sat at, which the start page offers to continue.
export interface RecentTable {
  table: string;
  game: string;
  name: string;
}

const KEY = "jasstisch.tables";
const MAX_TABLES = 5;

/** The remembered tables, the latest first; invalid entries are dropped. */
export function parseRecentTables(text: string | null): RecentTable[] {
  try {
    const parsed: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(parsed) ? parsed.filter(isRecent).slice(0, MAX_TABLES) : [];
  } catch {
    return [];
  }
}

function isRecent(value: unknown): value is RecentTable {
  const one = value as Partial<RecentTable> | null;
  return (
    typeof one === "object" &&
    typeof one?.table === "string" &&
    typeof one.game === "string" &&
    typeof one.name === "string"
  );
}

export function recentTables(): RecentTable[] {
  try {
    return parseRecentTables(localStorage.getItem(KEY));
  } catch {
    return [];
  }
}

/** Puts a table at the head of the list. */
export function rememberTable(table: RecentTable): void {
  write([table, ...recentTables().filter((one) => one.table !== table.table)]);
}

/** Whether this browser has recently sat at a table; if so, it may return under any entry policy. */
export function hasSatAt(table: string): boolean {
  return recentTables().some((one) => one.table === table);
}

export function forgetTable(table: string): void {
  write(recentTables().filter((one) => one.table !== table));
}

function write(tables: RecentTable[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(tables.slice(0, MAX_TABLES)));
  } catch {
    // Storage refused (private window): the list stays empty, but the link still works.
  }
}

let wanted: string | null = null;

/** Notes that the reader wants their seat at a table back as soon as its page is open. */
export function requestSeatBack(table: string): void {
  wanted = table;
}

/** Whether the reader has asked for their seat at this table; the request is forgotten. */
export function takeSeatRequest(table: string): boolean {
  const asked = wanted === table;
  wanted = null;
  return asked;
}
