// Schieber and Coiffeur: contracts, the lines of Coiffeur's slate and which are open, who has pushed, the
// rank order of the current trick. Pure.
import { SUITS, type Suit } from "../../cards/cards";
import type { ContractRound, View } from "../../api/messages";
import { trickCards } from "../trickCards";
import { coiffeurView, contractView, schieberView, type ContractView } from "../../api/narrowGameView";

/** The kind of a contract, which is drawn as its suit or an icon. */
export type ContractKind = "trump" | "tops" | "bottoms" | "slalom" | "guschti";

/** A parsed announcement (CT2, CO2). */
export interface Contract {
  kind: ContractKind;
  suit: Suit | null;
  /** How slalom and guschti begin. */
  start: "tops" | "bottoms" | null;
  /** The factor of the joker by which it was announced. */
  joker: number | null;
}

const ALTERNATING: readonly string[] = ["slalom", "guschti"];
const GUSCHTI_TURNS = 5;

/** Parses an announcement; null for a push and for anything else. */
export function parseContract(text: string): Contract | null {
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
export function lineOfAction(text: string): string {
  const words = text.split(" ");
  if (words[0] === "joker") return words.slice(0, 2).join(" ");
  return ALTERNATING.includes(words[0] ?? "") ? (words[0] ?? "") : text;
}

/** The open announcements of a line; a line that leaves a choice has several. */
export interface ContractOffer {
  line: string;
  actions: string[];
}

/** The lines open to the reader, in the order in which they may be announced. */
export function contractOffers(legal: readonly string[]): ContractOffer[] {
  const lines = new Map<string, string[]>();
  for (const action of legal) {
    if (!parseContract(action)) continue;
    const line = lineOfAction(action);
    lines.set(line, [...(lines.get(line) ?? []), action]);
  }
  return [...lines].map(([line, actions]) => ({ line, actions }));
}

/** A line of the Coiffeur slate and its factor (CO1). */
export interface SlateLine {
  text: string;
  factor: number;
}

const SUITS_BY_FACTOR: Record<string, string> = { swiss: "CHSD", french: "SCDH" };
const AFTER_THE_SUITS: Record<string, readonly string[]> = {
  eight: ["tops", "bottoms", "joker", "joker"],
  ten: ["tops", "bottoms", "slalom", "guschti", "joker", "joker"],
};

/** The lines of the slate in order (CO1); none in Schieber, whose slate has no lines to play. */
export function slateLines(view: ContractView): SlateLine[] {
  if (view.game === "schieber") return [];
  const suits = SUITS_BY_FACTOR[String(view.options.suits)] ?? "";
  const others = AFTER_THE_SUITS[String(view.options.lines)] ?? [];
  return [...[...suits].map((suit) => `trump ${suit}`), ...others].map((name, index) => {
    const factor = index + 1;
    return { text: name === "joker" ? `joker ${factor}` : name, factor };
  });
}

/** The scores of a side by line; null for lines that are still open to it. */
export function lineScores(view: ContractView, seat: number): (number | null)[] {
  const lines = coiffeurView(view)?.standing[seat]?.lines ?? {};
  return slateLines(view).map(({ text }) => lines[text] ?? null);
}

const DOUBLED_SUITS: Record<string, readonly string[]> = { swiss: ["D", "S"], french: ["C", "S"] };

/** Whether contracts count differently at a table. */
export function hasFactors(view: ContractView): boolean {
  return view.game === "coiffeur" || String(view.options.multipliers) in DOUBLED_SUITS;
}

/** The factor of an announcement: by its line in Coiffeur (CO1), by its kind in Schieber (SC5). */
export function factorOf(action: string, view: ContractView): number {
  if (view.game === "coiffeur") {
    return slateLines(view).find(({ text }) => text === lineOfAction(action))?.factor ?? 1;
  }
  const double = DOUBLED_SUITS[String(view.options.multipliers)];
  if (!double) return 1;
  const suit = parseContract(action)?.suit;
  if (!suit) return 3;
  return double.includes(suit) ? 2 : 1;
}

/**
 * The seats that have pushed in this round: the first ones asked (SC1, CO2). When all four have, and
 * one must announce, they all have.
 */
export function pushedSeats(view: ContractView): number[] {
  const seats = view.players.length;
  if (view.dealer === null) return [];
  const forehand = view.dealer + 1;
  return Array.from({ length: Math.min(view.pushes, seats) }, (_, i) => (forehand + i) % seats);
}

/** Whether a seat has pushed and no contract is announced yet. */
export function hasPushed(seen: View | null, seat: number): boolean {
  const view = contractView(seen);
  return view?.phase === "announce" && pushedSeats(view).includes(seat);
}

/** The contract that a seat announced; null before, and for the others. */
export function announcedBy(seen: View | null, seat: number): string | null {
  const view = contractView(seen);
  return view?.by === seat ? view.contract : null;
}

/** The rank direction of a contract's trick, counted from 0; null if a suit is trump (CT4). */
export function rankDirection(contract: Contract, trick: number): "tops" | "bottoms" | null {
  const { kind, start } = contract;
  if (kind === "tops" || kind === "bottoms") return kind;
  if (start === null) return null;
  const turned = kind === "slalom" ? trick % 2 === 1 : trick >= GUSCHTI_TURNS;
  if (!turned) return start;
  return start === "tops" ? "bottoms" : "tops";
}

/**
 * Whether a seat calls Stöck with this card: it is the king or queen of trumps, and the seat has played
 * the other one before (JS8, SC4). Stöck count when the trick is complete (SC6).
 */
export function callsStoeck(seen: View, seat: number, card: string): boolean {
  const before = schieberView(seen);
  const suit = parseContract(before?.contract ?? "")?.suit;
  if (!before || !suit || before.options.weis !== "on") return false;
  const other = { [`K${suit}`]: `Q${suit}`, [`Q${suit}`]: `K${suit}` }[card];
  if (other === undefined) return false;
  const all = [...before.players.keys()];
  return before.tricks
    .flatMap((trick) => trickCards(trick, all))
    .some(([by, played]) => by === seat && played === other);
}

/** The points of one side in a round by component, before the factor (SC5, CO4). */
export interface RoundSum {
  tricks: number;
  match: number;
  weis: number;
  stoeck: number;
  points: number;
  /** The score written, after the factor. */
  written: number;
}

/** The sum of a finished round for the side of a seat. */
export function roundSum(round: ContractRound, seat: number, options: View["options"]): RoundSum {
  const points = round.points[seat] ?? 0;
  const weis = round.weis[seat] ?? 0;
  const stoeck = round.stoeck[seat] ?? 0;
  const match = round.match === seat % 2 ? Number(options.match_bonus) : 0;
  const tricks = points - weis - stoeck - match;
  return { tricks, match, weis, stoeck, points, written: Number(round.marks[seat] ?? 0) };
}

/** The total score of a seat's side so far; null in a game without such a total. */
export function teamTotal(view: View | null, seat: number): number | null {
  return contractView(view)?.standing[seat]?.points ?? null;
}

/** The announcement of this round, including the joker; null before it is made. */
export function announcedContract(view: ContractView): string | null {
  return view.game === "coiffeur" ? view.line : view.contract;
}

/** The announcement of a finished round, including the joker; `index` counts from 0. */
export function contractInRound(view: ContractView, index: number): string {
  const text = view.game === "coiffeur" ? view.rounds[index]?.line : view.rounds[index]?.contract;
  return text ?? "";
}

/** Whether a side scores in a round: in Coiffeur only the announcing side does (CO4). */
export function scoresRound(view: ContractView, round: ContractRound, side: readonly number[]): boolean {
  return view.game === "schieber" || side.includes(round.by);
}

/** The seat asked next when this seat pushes (SC1, CO2). */
export function nextToAnnounce(view: ContractView, seat: number): number {
  const seats = view.players.length;
  if (view.game === "schieber") return (seat + 2) % seats;
  if (view.pushes + 1 < seats) return (seat + 1) % seats;
  const forehand = (view.dealer ?? 0) + 1;
  const asked = Array.from({ length: seats }, (_, i) => (forehand + i) % seats);
  const open = (one: number): boolean => lineScores(view, one).includes(null);
  return asked.find(open) ?? (seat + 1) % seats;
}
