// Text templates of tutorials and hints, filled and split into parts: words, cards, suits, seats. The
// texts and the meaning of their placeholders are those of the Python package (jasstisch/i18n/templates.py).
import type { Rank, Suit } from "./cards";
import type { HintReply } from "../api/messages";
import { settings } from "../settings/settings.svelte";

export type RichTextPart =
  | { kind: "text" | "number"; text: string }
  | { kind: "card"; card: string }
  | { kind: "suit"; suit: Suit }
  | { kind: "rank"; rank: Rank }
  | { kind: "ranks"; rank: Rank }
  | { kind: "seat"; seat: number }
  | { kind: "weis" };

const CARD = /^[2-9TJQKA][CDHS]$/;
const RANK = /^[2-9TJQKA]$/;

/** The parts of a text with its placeholders filled in; throws if a value is missing. */
export function fillTemplate(text: string, values: HintReply["values"]): RichTextPart[] {
  return text.split(/\{(\w+)\}/).flatMap((part, index): RichTextPart[] => {
    if (index % 2) return filled(part, values);
    return part ? [{ kind: "text", text: part }] : [];
  });
}

function filled(gap: string, values: HintReply["values"]): RichTextPart[] {
  if (CARD.test(gap)) return [{ kind: "card", card: gap }];
  if (RANK.test(gap)) return [{ kind: "rank", rank: gap as Rank }];
  const value = values[gap];
  if (value === undefined) throw new Error(`no value for {${gap}}`);
  const text = String(value);
  if (gap.startsWith("cards")) {
    return text.split(" ").map((card): RichTextPart => ({ kind: "card", card }));
  }
  if (gap.startsWith("card")) return [{ kind: "card", card: text }];
  if (gap.startsWith("suit")) return [{ kind: "suit", suit: text as Suit }];
  if (gap.startsWith("ranks")) return [{ kind: "ranks", rank: text as Rank }];
  if (gap.startsWith("seat")) return [{ kind: "seat", seat: Number(value) }];
  return [{ kind: "number", text: localised(text) }];
}

/** A number with the decimal separator of the language; the number of decimals is kept. */
function localised(number: string): string {
  const decimals = /^-?\d+\.(\d+)$/.exec(number)?.[1]?.length;
  if (!decimals) return number;
  return Number(number).toLocaleString(settings.locale, { minimumFractionDigits: decimals });
}

/** The parts that describe a suggested action; null for actions shown by their label. */
export function actionParts(action: string): RichTextPart[] | null {
  const [verb, ...words] = action.split(" ");
  if (verb === "play" && words[0]) {
    const card: RichTextPart = { kind: "card", card: words[0] };
    return words[1] === "weis" ? [card, { kind: "weis" }] : [card];
  }
  if (verb === "bid" && words[0]) return [{ kind: "number", text: words[0] }];
  if (verb === "lay") {
    const end = words.indexOf("as");
    const cards = words.slice(0, end).map((card): RichTextPart => ({ kind: "card", card }));
    return [...cards, { kind: "text", text: " → " }, { kind: "ranks", rank: words[end + 1] as Rank }];
  }
  return null;
}
