// The action suggested by a tutorial or a hint, as a context for all components: cards and buttons mark
// themselves with `data-suggested`, which app.css styles.
import { getContext, setContext } from "svelte";

const KEY = Symbol("suggestion");

/** Provides the suggested action to all descendant components. */
export function provideSuggestion(suggestion: () => string | null): void {
  setContext(KEY, suggestion);
}

/** The suggested action in this component's context; null without a tutorial or hint. */
export function useSuggestion(): () => string | null {
  return getContext<(() => string | null) | undefined>(KEY) ?? (() => null);
}

/** The attribute of elements that perform a suggested action or lead to it; absent on others. */
export function suggestedAttribute(suggested: boolean): true | undefined {
  return suggested || undefined;
}

/** The cards and rank of a lay action; null for other actions. */
export function parseLayAction(action: string | null): { cards: string[]; rank: string } | null {
  const [verb, ...words] = action?.split(" ") ?? [];
  const end = words.indexOf("as");
  const rank = words[end + 1];
  return verb === "lay" && rank !== undefined ? { cards: words.slice(0, end), rank } : null;
}

/** The number of a bid; null for other actions. */
export function parseBidAction(action: string | null): number | null {
  const [verb, bid] = action?.split(" ") ?? [];
  return verb === "bid" ? Number(bid) : null;
}
