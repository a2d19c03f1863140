// Where in a sheet a house rule changes what is told: there the reader is told what holds instead.

/** By game and option the place of the section; options that change no sentence are not listed. */
const PLACES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  molotov: { undertrump: 3, long_runs: 5, ties: 6, no_trump: 6, five_player_marks: 6, target: 7 },
  offenbach: { undertrump: 3, long_runs: 5, ties: 6, no_trump: 6, five_player_marks: 6, target: 7 },
  molotow: { undertrump: 3, marks: 5, rounds: 6 },
  differenzler: {
    trump: 2,
    bids: 2,
    undertrump: 3,
    show_points: 4,
    exact_bonus: 5,
    zero_bonus: 5,
    rounds: 6,
  },
  jass: { undertrump: 4, ties: 7, target: 8 },
  "i-doubt-it": { last: 3, lie_fee: 4, max_turns: 6, rounds: 7 },
};

const DEAL = 2;

/** The section that an option changes, null where it changes none. */
export function placeOf(game: string, option: string): number | null {
  if (option === "dealer") return DEAL;
  return PLACES[game]?.[option] ?? null;
}
