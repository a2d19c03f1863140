// Places speech bubbles on the mat: each at the plate of its speaker, none on another bubble, on another
// plate, or on anything that must stay visible; on cards only if there is no other room. Where space is
// short a bubble is truncated, and where even the speaker's plate is covered it is not shown: the log of
// the screen reader and the text table have it.

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A layout of a sentence, and the part of it that is cut off. */
export interface BubbleSize {
  width: number;
  height: number;
  lost: number;
}

export interface BubbleRequest {
  plate: Box;
  /** The plate together with the avatar next to it, if any. */
  player: Box;
  /** Widest first; the last is no larger than the plate, so that it fits there unless that is covered. */
  settings: readonly BubbleSize[];
}

export interface BubblePosition {
  setting: number;
  left: number;
  top: number;
  /** The side of the bubble that faces the player, and the position along it; null on the plate itself. */
  beak: { side: "top" | "right" | "bottom" | "left"; at: number } | null;
}

/** Other elements on the mat. */
export interface MatLayout {
  bounds: Box;
  /** Areas that no bubble may cover. */
  kept: readonly Box[];
  /** Areas that bubbles should avoid. */
  cards: readonly Box[];
}

const GAP = 7;
/** The minimum contact between bubble and player, so that it is clear who speaks. */
const MIN_CONTACT_PX = 26;
const STEP = 6;
/** The cost per covered pixel of a card and of the speaker's plate, per hidden sentence, and per distance. */
const CARD_COST = 3;
const OWN_PLATE_COST = 1.2;
const LOST_SENTENCE_COST = 24_000;
const DISTANCE_COST = 1;

export function overlap(a: Box, b: Box): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}

const boxOf = (left: number, top: number, { width, height }: BubbleSize): Box => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});

/** Numbers from one to another, both included, in steps. */
function along(from: number, to: number): number[] {
  if (to <= from) return [from];
  const steps = Math.ceil((to - from) / STEP);
  return Array.from({ length: steps + 1 }, (_, step) => from + ((to - from) * step) / steps);
}

interface Spot extends BubblePosition {
  box: Box;
}

/** All candidate positions of a bubble: next to its player, or over the plate. */
function spots({ plate, player }: BubbleRequest, setting: number, size: BubbleSize): Spot[] {
  const { width, height } = size;
  const columns = along(player.left + MIN_CONTACT_PX - width, player.right - MIN_CONTACT_PX);
  const rows = along(player.top + MIN_CONTACT_PX - height, player.bottom - MIN_CONTACT_PX);
  const spot = (left: number, top: number, side: "top" | "right" | "bottom" | "left" | null): Spot => {
    const across = side === "top" || side === "bottom";
    const middle = across ? (player.left + player.right) / 2 - left : (player.top + player.bottom) / 2 - top;
    const most = (across ? width : height) - 16;
    const beak = side && { side, at: Math.max(16, Math.min(most, middle)) };
    return { setting, left, top, beak, box: boxOf(left, top, size) };
  };
  const over = [plate.left, (plate.left + plate.right - width) / 2, plate.right - width].flatMap((left) =>
    [plate.top, (plate.top + plate.bottom - height) / 2, plate.bottom - height].map((top) =>
      spot(left, top, null),
    ),
  );
  return [
    ...columns.map((left) => spot(left, player.top - GAP - height, "bottom")),
    ...columns.map((left) => spot(left, player.bottom + GAP, "top")),
    ...rows.map((top) => spot(player.right + GAP, top, "left")),
    ...rows.map((top) => spot(player.left - GAP - width, top, "right")),
    ...over,
  ];
}

function inside(box: Box, bounds: Box): boolean {
  return (
    box.left >= bounds.left &&
    box.right <= bounds.right &&
    box.top >= bounds.top &&
    box.bottom <= bounds.bottom
  );
}

/** The cost of a possible position. */
function worth(
  { box, beak }: Spot,
  { lost }: BubbleSize,
  { plate }: BubbleRequest,
  cards: readonly Box[],
): number {
  const covered = cards.reduce((sum, card) => sum + overlap(box, card), 0);
  const far = Math.abs(box.left + box.right - plate.left - plate.right) / 2;
  const aside = beak === null ? 0 : far * DISTANCE_COST;
  return covered * CARD_COST + overlap(box, plate) * OWN_PLATE_COST + lost * LOST_SENTENCE_COST + aside;
}

/** The position of each bubble, older ones first; null where there is no room. */
export function placeBubbles(
  said: readonly BubbleRequest[],
  plates: readonly Box[],
  mat: MatLayout,
): (BubblePosition | null)[] {
  const taken = [...mat.kept];
  return said.map((saying) => {
    const others = plates.filter(({ left, top }) => left !== saying.plate.left || top !== saying.plate.top);
    const clear = (box: Box, all: readonly Box[]): boolean =>
      inside(box, mat.bounds) && !all.some((one) => overlap(box, one) > 0);
    let best: Spot | null = null;
    let least = Infinity;
    for (const [index, setting] of saying.settings.entries()) {
      for (const spot of spots(saying, index, setting)) {
        if (!clear(spot.box, [...taken, ...others])) continue;
        const found = worth(spot, setting, saying, mat.cards);
        if (found < least) [best, least] = [spot, found];
      }
    }
    const spot = best ?? onPlate(saying);
    // Readers have no plate: their bubble belongs to a button, which is never covered.
    if (!clear(spot.box, taken) || (!best && others.length === plates.length)) return null;
    const { box, ...standing } = spot;
    taken.push(box);
    return standing;
  });
}

function onPlate({ plate, settings }: BubbleRequest): Spot {
  const setting = settings.length - 1;
  const size = settings[setting] as BubbleSize;
  return { setting, left: plate.left, top: plate.top, beak: null, box: boxOf(plate.left, plate.top, size) };
}
