// Measures the speech bubbles on a mat and positions them whenever somebody says something, the mat is
// resized, or something appears that must stay uncovered.
import { placeBubbles, type Box, type BubbleRequest, type BubbleSize } from "./bubblePlacement";
import type { Remark } from "./chat.svelte";

/** The maximum width of a sentence in em, and its maximum number of lines. */
const BUBBLE_SIZES: readonly (readonly [ems: number, lines: number])[] = [
  [16, Infinity],
  [12, Infinity],
  [9, Infinity],
  [16, 3],
  [12, 3],
  [16, 2],
  [9, 2],
  [9, 1],
];

/** Seat plates at the table and in the lobby; for the reader at the table, the chat button. */
const PLATE = ".plate, .place";
const BUTTON = ".speak";
/** The reader's own remark may be truncated, because they know the rest. */
const OWN_BUBBLE_SIZES: typeof BUBBLE_SIZES = [
  [16, 2],
  [12, 2],
  [9, 2],
  [9, 1],
];

/** Elements that no bubble may cover: controls, the trump badge, the reader's own bubble. */
const UNCOVERED = ".corner > *, [data-uncovered]";
const CARDS = ".trick li, .seats .face, .middle .pile, .middle .fan, .stocks li";

function bubblesIn(mat: HTMLElement, remarks: readonly Remark[]): HTMLElement[] {
  return remarks.flatMap(({ id }) => mat.querySelector<HTMLElement>(`[data-remark="${id}"]`) ?? []);
}

/** Lays a sentence out with these limits and measures it. */
function measured(bubble: HTMLElement, most: string, lines: number): BubbleSize {
  const words = bubble.firstElementChild as HTMLElement;
  bubble.style.display = "";
  bubble.style.maxWidth = most;
  words.style.setProperty("-webkit-line-clamp", "none");
  const whole = words.clientHeight;
  if (Number.isFinite(lines)) words.style.setProperty("-webkit-line-clamp", String(lines));
  const { width, height } = bubble.getBoundingClientRect();
  return { width, height, lost: 1 - words.clientHeight / whole };
}

/** All layouts of a sentence; for other players the last one is as large as the plate. */
function ways(bubble: HTMLElement, plate: Box): (readonly [most: string, lines: number])[] {
  if (bubble.parentElement?.querySelector(BUTTON))
    return OWN_BUBBLE_SIZES.map(([ems, most]) => [`${ems}em`, most] as const);
  const style = getComputedStyle(bubble);
  const padding = parseFloat(style.paddingTop) + parseFloat(style.paddingBottom);
  const lines = Math.floor((plate.bottom - plate.top - padding) / parseFloat(style.lineHeight));
  return [
    ...BUBBLE_SIZES.map(([ems, most]) => [`${ems}em`, most] as const),
    [`${plate.right - plate.left}px`, Math.max(1, lines)],
  ];
}

function place(mat: HTMLElement, remarks: readonly Remark[]): void {
  const origin = mat.getBoundingClientRect();
  const within = ({ left, top, right, bottom }: DOMRect): Box => ({
    left: left - origin.left,
    top: top - origin.top,
    right: right - origin.left,
    bottom: bottom - origin.top,
  });
  const boxes = (selector: string, part: ParentNode = mat): Box[] =>
    [...part.querySelectorAll(selector)].map((one) => within(one.getBoundingClientRect()));

  const whole = mat.closest("main") ?? mat;
  const bubbles = bubblesIn(whole, remarks);
  const plates = boxes(PLATE);
  const said = bubbles.map((bubble): BubbleRequest => {
    const seat = bubble.parentElement as HTMLElement;
    const [plate] = boxes(`${PLATE}, ${BUTTON}`, seat) as [Box];
    const [face = plate] = boxes(".face", seat);
    const settings = ways(bubble, plate).map(([most, lines]) => measured(bubble, most, lines));
    return { plate, player: around(plate, face), settings };
  });
  const bounds = { left: 6, top: 6, right: origin.width - 6, bottom: origin.height - 6 };
  const found = placeBubbles(said, plates, { bounds, kept: boxes(UNCOVERED, whole), cards: boxes(CARDS) });
  for (const [index, standing] of found.entries()) {
    const bubble = bubbles[index] as HTMLElement;
    bubble.style.display = standing ? "" : "none";
    if (!standing) continue;
    const { setting, left, top, beak } = standing;
    const [most, lines] = ways(bubble, (said[index] as BubbleRequest).plate)[setting] as readonly [
      string,
      number,
    ];
    measured(bubble, most, lines);
    const seat = within((bubble.parentElement as HTMLElement).getBoundingClientRect());
    bubble.style.left = `${left - seat.left}px`;
    bubble.style.top = `${top - seat.top}px`;
    bubble.style.setProperty("--beak", `${beak?.at ?? 0}px`);
    bubble.dataset.beak = beak?.side ?? "none";
  }
}

function around(a: Box, b: Box): Box {
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  };
}

/** Whether an element that must not be covered was added or removed. */
function concerns(changes: readonly MutationRecord[]): boolean {
  const kept = (node: Node): boolean =>
    node instanceof Element && (node.matches(UNCOVERED) || node.querySelector(UNCOVERED) !== null);
  return changes.some(({ addedNodes, removedNodes }) => [...addedNodes, ...removedNodes].some(kept));
}

/** Places the speech bubbles of a mat, and keeps them in position until the returned function is called. */
export function keepPlaced(mat: HTMLElement, remarks: readonly Remark[]): () => void {
  const again = (): void => place(mat, remarks);
  const resized = new ResizeObserver(again);
  const changed = new MutationObserver((changes) => concerns(changes) && again());
  resized.observe(mat);
  changed.observe(mat.closest("main") ?? mat, { childList: true, subtree: true });
  again();
  return () => {
    resized.disconnect();
    changed.disconnect();
  };
}
