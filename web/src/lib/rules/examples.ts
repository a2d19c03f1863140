// The cards of the examples in the rule sheets, so that they can be drawn beside the text. A test
// holds them against the words of every language.

export interface Example {
  /** Place of the section in the sheet. */
  section: number;
  /** The cards of each numbered step. */
  steps: readonly (readonly string[])[];
  /** The step whose card takes the trick. */
  best: number | null;
}

const FIRST_DISCARD: Example = { section: 4, steps: [["8C"], ["AC"], ["JD"], ["TC"]], best: 2 };

export const EXAMPLES: Readonly<Record<string, Example>> = {
  molotov: FIRST_DISCARD,
  offenbach: FIRST_DISCARD,
  molotow: { section: 4, steps: [["7C"], ["TH"], ["AH"], ["6H"]], best: 2 },
  differenzler: { section: 4, steps: [["TD"], ["KD"], ["6S"], ["7D"]], best: 2 },
  jass: { section: 6, steps: [["KS"], ["9H"], ["7C"]], best: 1 },
  "i-doubt-it": { section: 5, steps: [["JC", "4S", "7D"], ["JH"], ["JD", "JS"], []], best: null },
};
