// The labels of actions: from the game's texts, where a pattern such as `trump {suit}` may match an action,
// else the action itself. jasstisch/i18n/game_texts.py does the same in Python.
import { fillTemplate, type RichTextPart } from "../cards/richText";
import type { ActionTexts } from "../api/messages";
import { gameTexts } from "../i18n/gameTexts.svelte";

const PLACEHOLDER = /^\{(\w+)\}$/;
const SUIT = /^[CDHS]$/;
const CARD = /^[2-9TJQKA][CDHS]$/;
const NUMBER = /^[0-9]+$/;

/** The values of a pattern's placeholders in an action; null if it does not match. */
export function matchPattern(pattern: string, action: string): Record<string, string> | null {
  const [wanted, given] = [pattern.split(" "), action.split(" ")];
  if (wanted.length !== given.length) return null;
  const filled: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const word = given[index] ?? "";
    const gap = PLACEHOLDER.exec(part)?.[1];
    if (gap === undefined) {
      if (part !== word) return null;
      continue;
    }
    const kind = gap.startsWith("suit") ? SUIT : gap.startsWith("card") ? CARD : NUMBER;
    if (!kind.test(word)) return null;
    filled[gap] = word;
  }
  return filled;
}

function found(texts: Record<string, string>, action: string): RichTextPart[] | null {
  for (const pattern of [action, ...Object.keys(texts)]) {
    const text = texts[pattern];
    const filled = text === undefined ? null : matchPattern(pattern, action);
    if (text !== undefined && filled) return fillTemplate(text, filled);
  }
  return null;
}

function told(game: string, action: string, part: keyof ActionTexts): RichTextPart[] | null {
  const actions = Object.entries(gameTexts.of(game)?.actions ?? {});
  return found(Object.fromEntries(actions.map(([text, words]) => [text, words[part]])), action);
}

/** An action as written, with suits as suit parts: `trump H`, `grand D 3`. */
function asWritten(action: string): RichTextPart[] {
  return action.split(/(\s+)/).flatMap((word, index): RichTextPart[] => {
    if (index > 0 && CARD.test(word)) return [{ kind: "card", card: word }];
    if (index > 0 && SUIT.test(word)) return [{ kind: "suit", suit: word as "C" }];
    return word ? [{ kind: "text", text: word }] : [];
  });
}

/** The label of an action as rich text; null if the game has none. */
export function findActionLabel(game: string, action: string): RichTextPart[] | null {
  return told(game, action, "label");
}

/** The label of an action as rich text; without a label, the action as written. */
export function actionLabel(game: string, action: string): RichTextPart[] {
  return findActionLabel(game, action) ?? asWritten(action);
}

/** The note on an action as rich text; empty if there is none. */
export function actionNote(game: string, action: string): RichTextPart[] {
  return told(game, action, "note") ?? [];
}

/** The label of a contract as rich text: its own, or that of its announcement. */
export function contractLabel(game: string, contract: string): RichTextPart[] {
  return found(gameTexts.of(game)?.contracts ?? {}, contract) ?? actionLabel(game, contract);
}

/** The label of an action whose label is plain text. */
export function actionText(game: string, action: string): string {
  return plain(actionLabel(game, action)) || action;
}

/** The note on such an action. */
export function actionNoteText(game: string, action: string): string {
  return plain(actionNote(game, action));
}

function plain(parts: readonly RichTextPart[]): string {
  return parts.map((piece) => ("text" in piece ? piece.text : "")).join("");
}
