// Rich text as a plain string, with suits and cards named as in the current deck.
import type { RichTextPart } from "./richText";
import type { Deck } from "../settings/settings.svelte";
import { cardName, suitName } from "./cardNames";

/** Rich text as a string, with suits and cards named as in this deck. */
export function richTextToString(parts: readonly RichTextPart[], deck: Deck): string {
  const said = parts.map((piece) => {
    if (piece.kind === "suit") return suitName(piece.suit, deck);
    if (piece.kind === "card") return cardName(piece.card, deck);
    return "text" in piece ? piece.text : "";
  });
  return said.join("");
}
