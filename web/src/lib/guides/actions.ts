// An action in words and cards, for a line that suggests it.
import { m } from "../i18n";
import { suggested, type Piece } from "./text";

/** Actions that are a word, as their buttons say it. */
const WORDS: Record<string, () => string> = {
  stay: m.answer_stay,
  drop: m.answer_drop,
  blind: m.answer_blind,
  rob: m.rob_button,
  doubt: m.doubt_it,
  pass: m.pass,
};

/** What an action is, in pieces. */
export function actionPieces(action: string): Piece[] {
  return suggested(action) ?? [{ kind: "number", text: WORDS[action]?.() ?? action }];
}

/** What an action is, in pieces; none where the sentence that says why begins with the very card. */
export function leadingPieces(action: string, why: Piece[]): Piece[] {
  const what = actionPieces(action);
  const [named, first] = [what[0], why[0]];
  const again = named?.kind === "card" && first?.kind === "card" && named.card === first.card;
  return again && what.length === 1 ? [] : what;
}
