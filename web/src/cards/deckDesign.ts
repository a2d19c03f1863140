// The deck in which the cards of a game are drawn. Swiss packs have no cards below the six, so games with
// such cards always use French cards.
import { getContext, setContext } from "svelte";
import type { Drawing } from "../../decks/palette";
import { gameTexts } from "../i18n/gameTexts.svelte.ts";
import { settings, type Deck } from "../settings/settings.svelte.ts";

const KEY = Symbol("deck");

/** Ranks that Swiss packs lack. */
const BELOW_SIX = /[2-5]/;

/** The deck for a game, given the chosen one. */
export function deckForGame(game: string | undefined, chosen: Deck): Deck {
  const ranks = game === undefined ? undefined : gameTexts.of(game)?.ranks;
  return BELOW_SIX.test(ranks ?? "") ? "french" : chosen;
}

/** Draws every card below this component in the deck of the game at this table. */
export function provideDeck(game: () => string | undefined): void {
  setContext(KEY, () => deckForGame(game(), settings.deck));
}

/** The deck that a component's cards are drawn in. */
export function useDeck(): () => Deck {
  return getContext<(() => Deck) | undefined>(KEY) ?? (() => settings.deck);
}

/** How this component draws cards: the deck, and for French cards the chosen colours. */
export function useDrawing(): () => Drawing {
  const deck = useDeck();
  return () => {
    if (deck() === "swiss") return "swiss";
    return settings.colours === "four" ? "french4" : "french";
  };
}
