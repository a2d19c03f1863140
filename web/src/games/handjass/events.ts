// The events of Handjass, derived from two states of the table. Pure, so that the picture, the screen
// reader and the tests agree.
import type { View } from "../../api/messages";
import { handjassView } from "../../api/narrowGameView";

export type HandjassAnswer = "stay" | "drop" | "blind";

export type HandjassEvent =
  | { kind: "said"; seat: number; said: HandjassAnswer }
  | { kind: "robbed"; seat: number; card: string }
  | { kind: "alone"; seat: number }
  | { kind: "safe"; seat: number };

const ANSWERS: readonly HandjassAnswer[] = ["stay", "drop", "blind"];

/** The events of an answer or a robbery; none for other actions. */
export function answerEvents(action: string, seat: number, seen: View): HandjassEvent[] {
  const before = handjassView(seen);
  if (!before) return [];
  const said = ANSWERS.find((one) => one === action);
  if (said) return [{ kind: "said", seat, said }];
  if (action === "rob" && before.turned) return [{ kind: "robbed", seat, card: before.turned }];
  return [];
}

/** The events of a round that one player ended alone (JS6), and of players who are now safe (JS10). */
export function remainingPlayerEvents(seenBefore: View, seenAfter: View): HandjassEvent[] {
  const [before, after] = [handjassView(seenBefore), handjassView(seenAfter)];
  const playing = after?.rounds.at(-1)?.playing ?? [];
  if (!before || !after) return [];
  const alone = playing.length === 1 ? playing[0] : undefined;
  const safe = after.standing.flatMap((one, seat): HandjassEvent[] =>
    one.safe && before.standing[seat]?.safe === false ? [{ kind: "safe", seat }] : [],
  );
  return alone === undefined ? safe : [{ kind: "alone", seat: alone }, ...safe];
}
