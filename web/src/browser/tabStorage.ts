// A place for a text in this tab, which survives a reload of the page.

export interface TabStorage {
  get(): string | null;
  put(text: string): void;
}

export function tabStorage(key: string): TabStorage {
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
      } catch {
        // Storage refused (private window): a reload then begins anew.
      }
    },
  };
}
