// Names that the reader has muted. Stored on this device only.
const KEY = "jasstisch.muted";
const MAX_NAMES = 100;

/** The names in stored text; invalid entries are dropped. */
export function parseMutedNames(text: string | null): string[] {
  try {
    const parsed: unknown = JSON.parse(text ?? "[]");
    if (!Array.isArray(parsed)) return [];
    return parsed.filter((one): one is string => typeof one === "string").slice(0, MAX_NAMES);
  } catch {
    return [];
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

class MutedNames {
  #names = $state<string[]>(parseMutedNames(stored()));

  has(name: string): boolean {
    return this.#names.includes(name);
  }

  /** Mutes a name, or shows it again. */
  set(name: string, muted: boolean): void {
    const others = this.#names.filter((one) => one !== name);
    this.#names = muted ? [name, ...others].slice(0, MAX_NAMES) : others;
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#names));
    } catch {
      // Private windows may refuse to store; the choice is then kept only until the page is closed.
    }
  }
}

export const mutedNames = new MutedNames();
