// The bot of `low.py` in JavaScript, with types in comments: it reads and writes lines of JSON.
// Node.js runs it directly, without any package.
//
// Try it: jasstisch arena molotov "exec:node examples/low.mjs" --against random
// @ts-check

import { createInterface } from "node:readline";

/** @typedef {{ ask: string, view: { trump: string | null }, legal: string[], chance: number }} Question */

/** @type {Record<string, number>} */
const points = { A: 11, T: 10, K: 4, Q: 3, J: 2 };
const trumpPoints = { ...points, J: 20, 9: 14 };

/** The points of a card such as `JC`, whose suit is the second letter.
 * @param {string} card
 * @param {string | null} trump
 */
function cardPoints(card, trump) {
  return (card[1] === trump ? trumpPoints : points)[card[0]] ?? 0;
}

/** The card with the fewest points; any action if no card can be played.
 * @param {Question} question
 */
function chooseAction({ view, legal, chance }) {
  const cards = legal.filter((action) => action.startsWith("play "));
  if (cards.length === 0) return legal[chance % legal.length];
  const counts = cards.map((action) => cardPoints(action.split(" ")[1], view.trump));
  return cards[counts.indexOf(Math.min(...counts))];
}

/** Answers a request.
 * @param {Question} question
 */
function answer(question) {
  switch (question.ask) {
    case "hello":
      return { protocol: "jasstisch-bot/1", name: "low-js", games: ["molotov", "offenbach"] };
    case "act":
      return { action: chooseAction(question) };
    default: // "prepare", and requests of later versions
      return {};
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(answer(JSON.parse(line))));
}
