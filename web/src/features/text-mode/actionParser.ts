// Parses typed actions other than cards: in their text form, or by enough words of their label, in any
// order.
import { SUITS } from "../../cards/cards";
import { suitName } from "../../cards/cardNames";
import { richTextToString } from "../../cards/richTextToString";
import { actionLabel } from "../../games/actionLabels";
import { parseContract } from "../../games/contracts/model";
import { gameTexts } from "../../i18n/gameTexts.svelte";
import type { TableState } from "../../table/tableState";
import type { Deck } from "../../settings/settings.svelte";
import { parseCardId } from "./cardParser";
import { splitWords } from "./fuzzyMatch";
import { verbSynonyms } from "./defaultVerbs";

/** The action that a text denotes exactly: `play JC`, `JC`, `jc weis`, `42`; null if none. */
export function matchExactAction(text: string, legal: readonly string[]): string | null {
  const typed = text.trim().replace(/\s+/g, " ");
  const [first = "", ...more] = typed.split(" ");
  const card = parseCardId(first);
  const forms = [typed, `play ${[card ?? first, ...more].join(" ")}`, `bid ${typed}`];
  const wanted = forms.map((form) => form.toLowerCase());
  return legal.find((action) => wanted.includes(action.toLowerCase())) ?? null;
}

interface Told {
  action: string;
  /** The complete ways to say this action, each as its words in alphabetical order. */
  whole: string[];
  /** All words that may refer to this action. */
  words: Set<string>;
}

const joined = (some: readonly string[]): string => [...some].sort().join(" ");

function told(action: string, game: string, deck: Deck): Told {
  const written = action.split(" ");
  const label = splitWords(richTextToString(actionLabel(game, action), deck));
  const suits = written.flatMap((word) => {
    const suit = SUITS.find((one) => one === word);
    return suit ? [suitName(suit, deck), suitName(suit, deck, "en")].flatMap(splitWords) : [];
  });
  const form = written.flatMap(splitWords);
  const contract = parseContract(action);
  const alone = contract?.suit && contract.joker === null ? suits : [];
  const inWords = form.map((word) => (word.length === 1 && suits[0] ? suits[0] : word));
  return {
    action,
    whole: [joined(form), joined(label), joined(inWords), ...alone],
    words: new Set([...form, ...label, ...suits, ...verbSynonyms(written[0] ?? "")]),
  };
}

/** The actions that a text may mean: by all words of one action, or by words that only these have. */
export function matchActions(text: string, actions: readonly string[], game: string, deck: Deck): string[] {
  const typed = splitWords(text);
  if (typed.length === 0) return [];
  const all = actions.map((action) => told(action, game, deck));
  const whole = all.filter((one) => one.whole.includes(joined(typed)));
  const found = whole.length > 0 ? whole : all.filter((one) => typed.every((word) => one.words.has(word)));
  return found.map(({ action }) => action);
}

/** Actions of a game, other than cards, that have no labels. */
const UNLABELLED_ACTIONS: Record<string, readonly string[]> = { differenzler: ["bid {number}"] };

/** The actions of the game that are illegal now; the number in one is taken from the text. */
export function matchIllegalActions(text: string, { room, turn }: TableState): string[] {
  const patterns = [
    ...Object.keys(gameTexts.of(room.game)?.actions ?? {}),
    ...(UNLABELLED_ACTIONS[room.game] ?? []),
  ];
  const [number] = /\d+/.exec(text) ?? [];
  const filled = patterns
    .filter((pattern) => number !== undefined || !pattern.includes("{number}"))
    .map((pattern) => pattern.replace("{number}", number ?? ""))
    .flatMap((pattern) => SUITS.map((suit) => pattern.replace("{suit}", suit)));
  return [...new Set(filled)].filter((action) => !turn?.legal.includes(action));
}
