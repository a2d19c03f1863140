// The actions that a view shows, in their order: all cards of the match, or the claims of a deal of I Doubt It.
import type { IDoubtItView, Trick, View } from "../api/messages";

/** Tricks, and the seats that play; without them all do. */
interface Tricks {
  tricks: Trick[];
  playing?: number[];
}

/** Whether a game is one of claims: its views show those of a deal. */
export const showsClaims = (view: View): view is IDoubtItView => view.game === "i-doubt-it";

/** The actions as texts, such as `2 play JC` and `1 lay 3 as J|3C 7D KD`, the cards laid as far as they are known. */
export function shownIn(view: View): string[] {
  if (showsClaims(view)) return claimsIn(view);
  const all: Tricks[] = [...(view.rounds as Tricks[]), view as Tricks];
  const cards = all.flatMap(({ tricks, playing = [...view.hand_sizes.keys()] }) =>
    tricks.flatMap(({ leader, cards }) => {
      const first = playing.indexOf(leader);
      return cards.map((card, place) => `${playing[(first + place) % playing.length]} play ${card}`);
    }),
  );
  return [...cards, ...view.trick.map(([seat, card]) => `${seat} play ${card}`)];
}

function claimsIn({ turns }: IDoubtItView): string[] {
  return turns.flatMap(({ seat, rank, count, laid, passed, doubter }) => [
    ...(rank === null ? [] : [`${seat} lay ${count} as ${rank}${laid ? `|${laid.join(" ")}` : ""}`]),
    ...passed.map((one) => `${one} pass`),
    ...(doubter === null ? [] : [`${doubter} doubt`]),
  ]);
}
