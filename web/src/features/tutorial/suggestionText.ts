// A suggested action as text and cards.
import { actionLabel } from "../../games/actionLabels";
import { actionParts, type RichTextPart } from "../../cards/richText";

/** An action as rich text, with the label of its button if it has one. */
export function suggestionParts(action: string, game: string): RichTextPart[] {
  return actionParts(action) ?? actionLabel(game, action).map(strong);
}

/** A text part that is emphasised like a number. */
function strong(piece: RichTextPart): RichTextPart {
  return piece.kind === "text" ? { kind: "number", text: piece.text } : piece;
}

/** An action as rich text; empty if the explanation `why` begins with the same card. */
export function suggestionBefore(action: string, why: RichTextPart[], game: string): RichTextPart[] {
  const what = suggestionParts(action, game);
  const [named, first] = [what[0], why[0]];
  const again = named?.kind === "card" && first?.kind === "card" && named.card === first.card;
  return again && what.length === 1 ? [] : what;
}
