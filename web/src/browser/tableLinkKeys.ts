// The keys of renewed table links, stored for this tab so that a reload finds its table again.
const PREFIX = "jasstisch.key.";

/** The stored key of a table; null if there is none. */
export function loadTableKey(table: string): string | null {
  try {
    return sessionStorage.getItem(PREFIX + table);
  } catch {
    return null;
  }
}

export function saveTableKey(table: string, key: string): void {
  try {
    sessionStorage.setItem(PREFIX + table, key);
  } catch {
    // Storage refused (private window): the key is then only in the address.
  }
}
