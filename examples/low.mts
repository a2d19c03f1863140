// The bot of `low.py` in TypeScript, with the types of all that a bot can see: where `view.game` is
// known, so is what its view holds. Node.js runs it as it is from 22.18 on, without any package.
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

/** What a card such as `JC` counts, the suit being its second letter. */
function worth(card: string, trump: string | null): number {
  const [rank = "", suit] = card;
  return (suit === trump ? TRUMP_POINTS : POINTS)[rank] ?? 0;
}

/** The place in `legal` of the card that counts least; where it is not about cards, any place. */
function chosen({ view, legal, choices, chance }: Extract<Question, { ask: "act" }>): Answer {
  if (view.game !== "molotov" && view.game !== "offenbach") {
    return { error: `low-ts does not play ${view.game}` };
  }
  const { trump } = view;
  const cards = (legal ?? []).flatMap((action, choice) =>
    action.startsWith("play ") ? [{ choice, counts: worth(action.slice(5), trump) }] : [],
  );
  const [least] = cards.sort((a, b) => a.counts - b.counts);
  return { choice: least?.choice ?? chance % choices };
}

/** What is answered to a question. */
function answer(question: Question): Answer {
  switch (question.ask) {
    case "hello":
      return { protocol: "jasstisch-bot/1", name: "low-ts", games: ["molotov", "offenbach"] };
    case "act":
      return chosen(question);
    default: // "prepare", and what later versions may tell
      return {};
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(answer(JSON.parse(line) as Question)));
}
