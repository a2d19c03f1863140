// The games this page has a display for, found by their folders; any other game is shown as any.
import { any } from "./any/display";
import type { Display } from "./display";

const OWN = import.meta.glob<{ display: Partial<Display> }>("./*/display.ts", { eager: true });

const DISPLAYS: ReadonlyMap<string, Display> = new Map(
  Object.entries(OWN).map(([path, { display }]) => [
    path.split("/")[1] ?? "",
    { ...any, ...display },
  ]),
);

/** What a game shows at its table. */
export function displayOf(game: string): Display {
  return DISPLAYS.get(game) ?? any;
}
