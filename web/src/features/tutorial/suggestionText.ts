// An action in words and cards, for a line that suggests it.
import { actionLabel } from "../../games/actionLabels";
import { suggested, type Piece } from "../../cards/richText";

/** What an action is, in pieces, the words as its button says them. */
export function actionPieces(action: string, game: string): Piece[] {
  return suggested(action) ?? actionLabel(game, action).map(strong);
}

/** A piece of words that stands out as a number does. */
function strong(piece: Piece): Piece {
  return piece.kind === "text" ? { kind: "number", text: piece.text } : piece;
}

/** What an action is, in pieces; none where the sentence that says why begins with the very card. */
export function leadingPieces(action: string, why: Piece[], game: string): Piece[] {
  const what = actionPieces(action, game);
  const [named, first] = [what[0], why[0]];
  const again = named?.kind === "card" && first?.kind === "card" && named.card === first.card;
  return again && what.length === 1 ? [] : what;
}
