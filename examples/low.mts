// The bot of `low.py` in TypeScript, with the types of all views: a check of `view.game` narrows the
// type of the view. Node.js runs it directly from version 22.18 on, without any package.
//
// Try it: jasstisch arena molotov "exec:node examples/low.mts" --against random

import { createInterface } from "node:readline";
import type { View } from "../web/src/api/messages.ts";

type Question =
  | { ask: "hello"; protocol: string }
  | { ask: "prepare"; game: string }
  | { ask: "act"; view: View; legal: string[] | null; choices: number; chance: number };

type Answer =
  | { protocol: "jasstisch-bot/1"; name: string; games?: View["game"][] }
  | { action: string }
  | { choice: number }
  | { error: string }
  | Record<string, never>;

const POINTS: Record<string, number> = { A: 11, T: 10, K: 4, Q: 3, J: 2 };
const TRUMP_POINTS: Record<string, number> = { ...POINTS, J: 20, 9: 14 };

/** The points of a card such as `JC`, whose suit is the second letter. */
function cardPoints(card: string, trump: string | null): number {
  const [rank = "", suit] = card;
  return (suit === trump ? TRUMP_POINTS : POINTS)[rank] ?? 0;
}

/** The index in `legal` of the card with the fewest points; any index if no card can be played. */
function chooseAction({ view, legal, choices, chance }: Extract<Question, { ask: "act" }>): Answer {
  if (view.game !== "molotov" && view.game !== "offenbach") {
    return { error: `low-ts does not play ${view.game}` };
  }
  const { trump } = view;
  const cards = (legal ?? []).flatMap((action, choice) =>
    action.startsWith("play ") ? [{ choice, counts: cardPoints(action.slice(5), trump) }] : [],
  );
  const [least] = cards.sort((a, b) => a.counts - b.counts);
  return { choice: least?.choice ?? chance % choices };
}

/** Answers a request. */
function answer(question: Question): Answer {
  switch (question.ask) {
    case "hello":
      return { protocol: "jasstisch-bot/1", name: "low-ts", games: ["molotov", "offenbach"] };
    case "act":
      return chooseAction(question);
    default: // "prepare", and requests of later versions
      return {};
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(answer(JSON.parse(line) as Question)));
}
