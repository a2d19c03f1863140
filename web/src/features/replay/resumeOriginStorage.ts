// The replay from which a table was started, stored for this tab. The server does not store it, since
// others at the table need not know of the match.
const PREFIX = "jasstisch.origin.";

/** The address of the replay step from which a table continues; null if this tab did not create it. */
export function loadResumeOrigin(table: string): string | null {
  try {
    return sessionStorage.getItem(PREFIX + table);
  } catch {
    return null;
  }
}

export function saveResumeOrigin(table: string, address: string): void {
  try {
    sessionStorage.setItem(PREFIX + table, address);
  } catch {
    // Storage refused (private window): only the browser's back button leads back.
  }
}
