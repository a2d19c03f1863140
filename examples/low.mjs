// The bot of `low.py` in JavaScript, with its types in comments: a line of JSON comes in, a line goes out.
// Node runs it as it is, without any package.
//
// Try it: jasstisch arena molotov "exec:node examples/low.mjs" --against random
// @ts-check

import { createInterface } from "node:readline";

/** @typedef {{ ask: string, view: { trump: string | null }, legal: string[], chance: number }} Question */

/** @type {Record<string, number>} */
const points = { A: 11, T: 10, K: 4, Q: 3, J: 2 };
const trumpPoints = { ...points, J: 20, 9: 14 };

/** What a card such as `JC` counts, the suit being its second letter.
 * @param {string} card
 * @param {string | null} trump
 */
function worth(card, trump) {
  return (card[1] === trump ? trumpPoints : points)[card[0]] ?? 0;
}

/** The card that counts least; where it is not about cards, anything.
 * @param {Question} question
 */
function chosen({ view, legal, chance }) {
  const cards = legal.filter((action) => action.startsWith("play "));
  if (cards.length === 0) return legal[chance % legal.length];
  const counts = cards.map((action) => worth(action.split(" ")[1], view.trump));
  return cards[counts.indexOf(Math.min(...counts))];
}

/** What is answered to a question.
 * @param {Question} question
 */
function answer(question) {
  switch (question.ask) {
    case "hello":
      return { protocol: "jasstisch-bot/1", name: "low-js", games: ["molotov", "offenbach"] };
    case "act":
      return { action: chosen(question) };
    default: // "prepare", and what later versions may tell
      return {};
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(answer(JSON.parse(line))));
}
