// How the packs of each game become hands (C6): a page that has seen its own hand knows whether a pack deals it.

export interface Dealing {
  /** The packets that each seat is dealt, by the number of cards that there are for each. */
  readonly packets: (cards: number) => readonly number[];
  /** Whether cards are laid with a claim, and taken up; elsewhere they are played to tricks. */
  readonly claims?: true;
  /** Whether a round in which every card follows suit is void (MV7). */
  readonly annuls?: (options: Options) => boolean;
  /** Whether a hand may be put away, or exchanged for other cards. */
  readonly drops?: true;
  /** How many packs since the deal another thing than hands was drawn from, once cards can be played. */
  readonly drawn: (options: Options) => number;
  /** The card of a pack just dealt that is turned up, if it is shown, and its suit, which is trumps; `players` were dealt cards. */
  readonly turned?: (pack: readonly string[], options: Options, players: number) => Turned;
  /** Whether ties after a round are decided by drawing from further packs (MW8). */
  readonly decides?: true;
}

type Turned = readonly [card: string | null, suit: string | null];

const turnedCard = (card = ""): Turned => [card, card.slice(1)];

type Options = Readonly<Record<string, unknown>>;

const PACKETS: Record<number, readonly number[]> = { 6: [3, 3], 7: [4, 3], 9: [3, 3, 3], 12: [3, 3, 3, 3] };

const TRICKS: Dealing = { packets: (cards) => PACKETS[cards] ?? [], drawn: () => 0 };

const MOLOTOV: Dealing = { ...TRICKS, annuls: ({ no_trump: reading }) => reading === "annul" };

const DEALINGS: Readonly<Record<string, Dealing>> = {
  coiffeur: TRICKS,
  // The suit of the trump is that of a card of a further pack (DF2).
  differenzler: {
    ...TRICKS,
    drawn: ({ trump }) => (trump === "bottom" ? 0 : 1),
    turned: (pack, { trump }) =>
      trump === "bottom" ? turnedCard(pack.at(-1)) : [null, turnedCard(pack[0])[1]],
  },
  // Cards are dealt singly (ID1).
  "i-doubt-it": { packets: (cards) => Array<number>(cards).fill(1), claims: true, drawn: () => 0 },
  // A hand may be exchanged for the blind, and the six of trumps for the turned card (JS3 - JS5).
  jass: {
    ...TRICKS,
    packets: () => [3, 3, 3],
    drops: true,
    turned: (pack, _, players) => turnedCard(pack[players === 4 ? 35 : 27]),
  },
  molotov: MOLOTOV,
  molotow: { ...TRICKS, decides: true },
  offenbach: MOLOTOV,
  schieber: TRICKS,
};

/** How a game is dealt; null for one of another package. */
export function dealingOf(game: string): Dealing | null {
  return DEALINGS[game] ?? null;
}
