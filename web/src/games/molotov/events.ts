// The runs of Molotov and Offenbach Molotov as events (MV4).
import type { MolotovRun, View } from "../../api/messages";
import { molotovView } from "../../api/narrowGameView";

export type MolotovEvent = { kind: "molotov"; molotov: MolotovRun };

/** The runs made with a trick; `ended` if the round is over with it. */
export function runEvents(before: View, seen: View, ended: boolean): MolotovEvent[] {
  const after = molotovView(seen);
  const known = molotovView(before)?.molotovs.length ?? 0;
  const molotovs = (ended ? after?.rounds.at(-1)?.molotovs : after?.molotovs) ?? [];
  return molotovs.slice(known).map((molotov) => ({ kind: "molotov", molotov }));
}
