// Stores the contributor of a table's deals for this tab, so that it survives a reload.
import type { ContributionStorage } from "./participant";

const PREFIX = "jasstisch.witness.";

export function contributionStorage(table: string): ContributionStorage {
  return {
    get() {
      try {
        return sessionStorage.getItem(PREFIX + table);
      } catch {
        return null;
      }
    },
    put(text) {
      try {
        sessionStorage.setItem(PREFIX + table, text);
      } catch {
        // Storage refused (private window): a reload then starts with a new contributor.
      }
    },
  };
}
