// A place for a text in this tab, which survives a reload of the page and is not copied with the tab.

export interface TabStorage {
  get(): string | null;
  /** Puts this text in the place of the last one; false if that could not be done. */
  put(text: string): boolean;
}

/** What is kept there of a table. */
const KINDS = ["witness", "seen"] as const;

const TAB = "jasstisch.tab";
/** A reloaded page may ask before the browser has released what the page before it held. */
const RELEASE_MS = 1_000;

export function tabStorage(kind: (typeof KINDS)[number], table: string): TabStorage {
  const key = `jasstisch.${kind}.${table}`;
  return {
    get() {
      try {
        return sessionStorage.getItem(key);
      } catch {
        return null;
      }
    },
    put(text) {
      try {
        sessionStorage.setItem(key, text);
        return true;
      } catch {
        return false; // It is full, or refused.
      }
    },
  };
}

let claimed: Promise<void> | undefined;

/**
 * Resolves once this storage belongs to this tab alone. A duplicated tab begins with a copy of another one's, as
 * does a window that a page opens; it is emptied. Without TLS a browser cannot tell a copy.
 */
export const claimTabStorage = (): Promise<void> => (claimed ??= claim().catch(() => undefined));

async function claim(): Promise<void> {
  if (!("locks" in navigator)) return;
  const known = sessionStorage.getItem(TAB);
  if (known !== null && (await lock(known))) return;
  const fresh = crypto.randomUUID();
  sessionStorage.setItem(TAB, fresh);
  if (known !== null) forgetAll();
  await lock(fresh);
}

function forgetAll(): void {
  const kept = Object.keys(sessionStorage);
  for (const key of kept)
    if (KINDS.some((kind) => key.startsWith(`jasstisch.${kind}.`))) sessionStorage.removeItem(key);
}

/** Locks the name of a tab for as long as this page lives; resolves with whether nobody else has locked it. */
function lock(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { signal: AbortSignal.timeout(RELEASE_MS) };
    const held = (): Promise<never> => {
      resolve(true);
      return new Promise(() => undefined);
    };
    navigator.locks.request(`${TAB}.${name}`, options, held).catch(() => resolve(false));
  });
}
