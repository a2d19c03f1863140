// Schieber and Coiffeur as the page shows them: what a contract is, which lines the slate of
// Coiffeur has and what is open, who has pushed, which way the trick at hand is played. Pure.
import { SUITS, type Suit } from "../cards/cards";
import type { Round, View } from "../messages";
import { trickCards } from "./jass";

/** How a contract is drawn: by its suit, or by a mark of its own. */
export type ContractKind = "trump" | "tops" | "bottoms" | "slalom" | "guschti";

/** An announcement, taken apart (CT2, CO2). */
export interface Contract {
  kind: ContractKind;
  suit: Suit | null;
  /** How slalom and guschti begin. */
  start: "tops" | "bottoms" | null;
  /** The factor of the joker by which it was announced. */
  joker: number | null;
}

const NAMES: readonly string[] = ["schieber", "coiffeur"];
const ALTERNATING: readonly string[] = ["slalom", "guschti"];
const GUSCHTI_TURNS = 5;

/** Whether a game is played in contracts. */
export function hasContracts(game: string): boolean {
  return NAMES.includes(game);
}

/** What an announcement says; null for a push, and for what is none. */
export function contractOf(text: string): Contract | null {
  const words = text.split(" ");
  const joker = words[0] === "joker" ? Number(words[1]) : null;
  const [kind, more] = joker === null ? words : words.slice(2);
  const suit = SUITS.find((one) => kind === "trump" && one === more) ?? null;
  if (kind === "trump") return suit && { kind, suit, start: null, joker };
  if (kind === "tops" || kind === "bottoms") return { kind, suit: null, start: null, joker };
  if ((kind === "slalom" || kind === "guschti") && (more === "tops" || more === "bottoms")) {
    return { kind, suit: null, start: more, joker };
  }
  return null;
}

/** The line of the slate that an announcement plays: `joker 7`, `slalom`, else as announced. */
export function lineOf(text: string): string {
  const words = text.split(" ");
  if (words[0] === "joker") return words.slice(0, 2).join(" ");
  return ALTERNATING.includes(words[0] ?? "") ? (words[0] ?? "") : text;
}

/** What may be announced, by lines: one that leaves a choice has several announcements. */
export interface Offer {
  line: string;
  actions: string[];
}

/** The lines open to the reader, in the order in which they may be announced. */
export function offers(legal: readonly string[]): Offer[] {
  const lines = new Map<string, string[]>();
  for (const action of legal) {
    if (!contractOf(action)) continue;
    const line = lineOf(action);
    lines.set(line, [...(lines.get(line) ?? []), action]);
  }
  return [...lines].map(([line, actions]) => ({ line, actions }));
}

/** A line of the slate of Coiffeur and what it multiplies by (CO1). */
export interface Line {
  text: string;
  factor: number;
}

const SUITS_BY_FACTOR: Record<string, string> = { swiss: "CHSD", french: "SCDH" };
const AFTER_THE_SUITS: Record<string, readonly string[]> = {
  eight: ["tops", "bottoms", "joker", "joker"],
  ten: ["tops", "bottoms", "slalom", "guschti", "joker", "joker"],
};

/** The lines of the slate in their order (CO1); none in a game without such a slate. */
export function slateLines(options: View["options"]): Line[] {
  const suits = SUITS_BY_FACTOR[String(options.suits)];
  const others = AFTER_THE_SUITS[String(options.lines)];
  if (!suits || !others) return [];
  return [...[...suits].map((suit) => `trump ${suit}`), ...others].map((name, index) => {
    const factor = index + 1;
    return { text: name === "joker" ? `joker ${factor}` : name, factor };
  });
}

/** What a side has written, by lines; null where a line is still open to it. */
export function writtenLines(view: View, seat: number): (number | null)[] {
  const lines = view.standing[seat]?.lines ?? {};
  return slateLines(view.options).map(({ text }) => lines[text] ?? null);
}

const DOUBLE: Record<string, readonly string[]> = { swiss: ["D", "S"], french: ["C", "S"] };

/** Whether contracts count differently at a table. */
export function hasFactors(options: View["options"]): boolean {
  return slateLines(options).length > 0 || String(options.multipliers) in DOUBLE;
}

/** What an announcement multiplies by: its line in Coiffeur (CO1), its kind in Schieber (SC5). */
export function factorOf(action: string, options: View["options"]): number {
  const line = slateLines(options).find(({ text }) => text === lineOf(action));
  if (line) return line.factor;
  const double = DOUBLE[String(options.multipliers)];
  if (!double) return 1;
  const suit = contractOf(action)?.suit;
  if (!suit) return 3;
  return double.includes(suit) ? 2 : 1;
}

/**
 * The seats that have pushed in this round: the first ones asked (SC1, CO2). When all four have, and
 * one must announce, they all have.
 */
export function pushed(view: View): number[] {
  const seats = view.players.length;
  if (view.dealer === null || !view.pushes) return [];
  const forehand = view.dealer + 1;
  return Array.from({ length: Math.min(view.pushes, seats) }, (_, i) => (forehand + i) % seats);
}

/** Which way a trick of a contract is played, counted from 0; null where a suit is trump (CT4). */
export function wayOf(contract: Contract, trick: number): "tops" | "bottoms" | null {
  const { kind, start } = contract;
  if (kind === "tops" || kind === "bottoms") return kind;
  if (start === null) return null;
  const turned = kind === "slalom" ? trick % 2 === 1 : trick >= GUSCHTI_TURNS;
  if (!turned) return start;
  return start === "tops" ? "bottoms" : "tops";
}

/**
 * Who calls the Stöck with this card: the seat that has played king and queen of trumps, the other
 * of the two before (JS8, SC4). They count when the trick is complete (SC6).
 */
export function callsStoeck(before: View, seat: number, card: string): boolean {
  const suit = contractOf(before.contract ?? "")?.suit;
  if (!suit || before.options.weis !== "on") return false;
  const other = { [`K${suit}`]: `Q${suit}`, [`Q${suit}`]: `K${suit}` }[card];
  if (other === undefined) return false;
  const all = [...before.players.keys()];
  return before.tricks
    .flatMap((trick) => trickCards(trick, all))
    .some(([by, played]) => by === seat && played === other);
}

/** What one side has in a round, piece by piece, before the factor (SC5, CO4). */
export interface Sum {
  tricks: number;
  match: number;
  weis: number;
  stoeck: number;
  points: number;
  /** What is written for it, after the factor. */
  written: number;
}

/** The sum of a finished round for the side of a seat. */
export function sumOfRound(round: Round, seat: number, options: View["options"]): Sum {
  const points = round.points[seat] ?? 0;
  const weis = round.weis?.[seat] ?? 0;
  const stoeck = round.stoeck?.[seat] ?? 0;
  const match = round.match === seat % 2 ? Number(options.match_bonus) : 0;
  const tricks = points - weis - stoeck - match;
  return { tricks, match, weis, stoeck, points, written: Number(round.marks[seat] ?? 0) };
}

/** What was announced in this round, a joker with its factor; null before. */
export function announced(view: View): string | null {
  return view.line ?? view.contract ?? null;
}

/** Who is asked next when this seat pushes (SC1, CO2). */
export function askedNext(view: View, seat: number): number {
  const seats = view.players.length;
  const lines = slateLines(view.options).length;
  if (lines === 0) return (seat + 2) % seats;
  if ((view.pushes ?? 0) + 1 < seats) return (seat + 1) % seats;
  const forehand = (view.dealer ?? 0) + 1;
  const asked = Array.from({ length: seats }, (_, i) => (forehand + i) % seats);
  const open = (one: number): boolean => writtenLines(view, one).includes(null);
  return asked.find(open) ?? (seat + 1) % seats;
}
