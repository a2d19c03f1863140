// A suggested action in words and cards.
import { actionLabel } from "../../games/actionLabels";
import { actionParts, type RichTextPart } from "../../cards/richText";

/** What an action is, in pieces, the words as its button says them. */
export function suggestionParts(action: string, game: string): RichTextPart[] {
  return actionParts(action) ?? actionLabel(game, action).map(strong);
}

/** A piece of words that stands out as a number does. */
function strong(piece: RichTextPart): RichTextPart {
  return piece.kind === "text" ? { kind: "number", text: piece.text } : piece;
}

/** What an action is, in pieces; none where the sentence that says why begins with the very card. */
export function suggestionBefore(action: string, why: RichTextPart[], game: string): RichTextPart[] {
  const what = suggestionParts(action, game);
  const [named, first] = [what[0], why[0]];
  const again = named?.kind === "card" && first?.kind === "card" && named.card === first.card;
  return again && what.length === 1 ? [] : what;
}
