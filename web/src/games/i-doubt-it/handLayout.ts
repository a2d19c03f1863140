// The layout of a large hand, by rank. Its own module, because other games are played without it.
import { RANKS, type Rank } from "../../cards/cards";

/** Cards of one rank in a hand, in the order of suits. */
export interface RankGroup {
  rank: Rank;
  cards: string[];
}

/** The hand by rank, low to high, so that pairs and triples stand together. */
export function groupByRank(hand: readonly string[]): RankGroup[] {
  const groups = RANKS.map((rank) => ({
    rank,
    cards: hand.filter((card) => card.startsWith(rank)).sort(),
  }));
  return groups.filter(({ cards }) => cards.length > 0);
}

/** A size in which a hand may be drawn, in pixels. */
export interface HandSize {
  /** Width of a card. */
  card: number;
  /** The distance between cards of a rank. */
  step: number;
}

export interface HandLayout {
  size: HandSize;
  rows: RankGroup[][];
  /** The space between two ranks, in pixels. */
  gap: number;
}

/** The minimum space between ranks, and the preferred one as a share of a card's width. */
const RANK_GAP = 8;
const WIDE_GAP = 0.32;
/** The visible part of a card in an overlapped row, as a share of the card's width. */
export const ROW_PART = 0.8;
const CARD_RATIO = 200 / 128;

/** The height of a number of rows of cards of this size, in pixels. */
function handHeight(size: HandSize, rows: number): number {
  return size.card * CARD_RATIO + Math.max(0, rows - 1) * size.card * ROW_PART;
}

/**
 * The hand in rows that fit a width, without splitting a rank: in the largest size that also fits the
 * height, else in the smallest, which then scrolls.
 */
export function layOutHand(
  groups: readonly RankGroup[],
  sizes: readonly HandSize[],
  width: number,
  height: number,
): HandLayout {
  const layouts = sizes.map((size) => ({ size, rows: evenRows(groups, size, width) }));
  const layout = layouts.find(({ size, rows }) => handHeight(size, rows.length) <= height) ?? layouts.at(-1);
  if (!layout) throw new Error("a hand needs at least one size");
  return { ...layout, gap: gapOf(layout.rows, layout.size, width) };
}

/** The space between ranks that the fullest row leaves. */
function gapOf(rows: readonly RankGroup[][], size: HandSize, width: number): number {
  const gaps = rows
    .filter((row) => row.length > 1)
    .map((row) => {
      const cards = row.reduce((sum, group) => sum + group.cards.length, 0);
      return (width - size.card - (cards - 1) * size.step) / (row.length - 1);
    });
  return Math.max(RANK_GAP, Math.floor(Math.min(size.card * WIDE_GAP, ...gaps)));
}

/** The fewest rows that fit, with lengths as equal as possible. */
function evenRows(groups: readonly RankGroup[], size: HandSize, width: number): RankGroup[][] {
  // The last card of a row is fully visible, and no gap follows it.
  const room = width - size.card + size.step + RANK_GAP;
  const fewest = filled(groups, size, room);
  let best = fewest;
  for (let narrow = room - size.step / 2; narrow > 0; narrow -= size.step / 2) {
    const rows = filled(groups, size, narrow);
    if (rows.length > fewest.length) break;
    best = rows;
  }
  return best;
}

/** Rows filled one after the other. */
function filled(groups: readonly RankGroup[], size: HandSize, room: number): RankGroup[][] {
  const rows: RankGroup[][] = [];
  let used = Infinity;
  for (const group of groups) {
    const wide = group.cards.length * size.step + RANK_GAP;
    if (used + wide > room) {
      rows.push([]);
      used = 0;
    }
    rows.at(-1)?.push(group);
    used += wide;
  }
  return rows;
}
