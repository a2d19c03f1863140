// Positions the speech bubbles on a mat. How is loaded when somebody says something first.
import type { Remark } from "./chat.svelte";

/** Keeps the speech bubbles of a mat in position; until they have one they are not visible. */
export function layOutBubbles(remarks: () => readonly Remark[]): (mat: HTMLElement) => () => void {
  return (mat) => {
    const said = remarks();
    if (said.length === 0) return () => undefined;
    let isOver = false;
    let stop: (() => void) | undefined;
    // If it cannot be fetched, the remark stands in the log alone.
    void import("./bubbleLayout").then(
      ({ keepPlaced }) => {
        if (!isOver) stop = keepPlaced(mat, said);
      },
      () => undefined,
    );
    return () => {
      isOver = true;
      stop?.();
    };
  };
}
