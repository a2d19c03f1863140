"""The bot `greedy` at rounds of two sides, Schieber and Coiffeur, compiled like `env.greedy`.

What is looked at is made here from the arrays of a batch; what is made of it, by the functions of
`bots.greedy`.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jasstisch import melds, tricks
from jasstisch.bots.greedy import coiffeur, contracts, partners, schieber
from jasstisch.bots.greedy.partners import OF_CONTRACTS, SEATS
from jasstisch.env.actions import ANNOUNCE, PUSH, WEIS, announcements_of
from jasstisch.env.greedy import seen
from jasstisch.env.laws import (
    CALLED_CONTRACT,
    CALLED_FACTOR,
    LINES_CROSS_OUT,
    MATCH_BONUS,
    WEIS_COUNTS,
    Laws,
    Numbers,
)
from jasstisch.env.rows import ANNOUNCED, ANNOUNCING, BEST_SEAT, COUNT, MELDS, PHASE, Row, Tables
from jasstisch.games.contracts import Contracted
from jasstisch.games.rules import Game
from jasstisch.search.compiled import allocating_kernel, kernel, shared
from jasstisch.search.contracts import VALUES
from jasstisch.search.rounds import ANNOUNCER, COURSE, HANDS, RANKING, TAKEN, TURN, VALUED, Round

__all__ = ["GAMES", "Habits", "choose", "habits_of"]

GAMES = ("coiffeur", "schieber")
"""The games of two sides whose rules of thumb are compiled."""

shared(
    coiffeur.beyond,
    contracts.ahead,
    contracts.ahead_by,
    contracts.for_match,
    contracts.gain,
    contracts.master,
    contracts.trumps_drawn,
    partners.after_ruffs,
    partners.by_following,
    partners.fill,
    partners.like,
    partners.mean_of,
    partners.none_of,
    partners.points_to_come,
    partners.share_out,
    partners.side_takes,
    partners.suppose,
    partners.void,
    schieber.worth,
)


class Habits(NamedTuple):
    """What it goes by when it announces at a table.

    Attributes:
        usual: for each announcement from `actions.ANNOUNCE` on what its line usually brings, at
            Coiffeur (k,).
        push: it pushes where the best announcement is worth less.
    """

    usual: NDArray[np.float64]
    push: float


def habits_of(game: Game) -> Habits:
    """What `greedy` goes by at this table."""
    rules = game.rules(game)
    assert isinstance(rules, Contracted)
    named = announcements_of(rules)
    usual = np.zeros(max(named) + 1 - ANNOUNCE)
    if not rules.lines_cross_out:
        return Habits(usual, schieber.AFTER_PUSH[str(game.options["multipliers"])])
    for action, text in named.items():
        usual[action - ANNOUNCE] = coiffeur.usual(text)
    return Habits(usual, 0.0)


class Sides(NamedTuple):
    """What the rules of thumb look at in `bots.greedy.partners.Partners`, under the same names."""

    seat: int
    by: int
    trump: int
    valued: int
    ranking: int
    hand: int
    lying: int
    led: int
    best: int
    winner: int
    to_come: NDArray[np.int64]
    unseen: int
    sizes: NDArray[np.int64]
    void: NDArray[np.int64]
    later: NDArray[np.float64]
    shown: NDArray[np.int64]
    where: NDArray[np.float64]
    against: NDArray[np.float64]


@allocating_kernel
def choose(
    laws: Laws, habits: Habits, tables: Tables, acting: NDArray[np.bool_], actions: Numbers
) -> None:
    """Writes what it does for the seat whose turn it is in each of these rounds."""
    for one in range(len(acting)):
        if acting[one] and tables.rows[one, PHASE] == ANNOUNCING:
            actions[one] = announcement(laws, habits, tables.states[one], tables.legal[one])
        elif acting[one]:
            actions[one] = play(laws.numbers, tables, one)


@kernel
def announcement(laws: Laws, habits: Habits, state: Round, legal: int) -> int:
    """What it announces, or a push."""
    hand = state[HANDS + state[TURN]]
    best, most = -1, -np.inf
    for number in range(len(laws.calls)):
        if legal >> ANNOUNCE + number & 1:
            contract, factor = (
                laws.calls[number, CALLED_CONTRACT],
                laws.calls[number, CALLED_FACTOR],
            )
            if laws.numbers[LINES_CROSS_OUT]:
                worth = coiffeur.beyond(hand, contract, habits.usual[number], factor)
            else:
                weis = laws.numbers[WEIS_COUNTS] == 1
                worth = schieber.worth(hand, contract, VALUES[contract], factor, weis)
            if worth > most:
                best, most = ANNOUNCE + number, worth
    pushes = best < 0 or (legal >> PUSH & 1 and most < habits.push)
    return PUSH if pushes else best


@allocating_kernel
def play(laws: Numbers, tables: Tables, one: int) -> int:
    """The card that gains most for the side, or first the Weis there is."""
    state, legal = tables.states[one], tables.legal[one]
    if legal >> WEIS & 1:
        return WEIS
    at = seen_by_sides(laws, tables, one)
    bonus = worth_of_match(laws, state)
    best, most = -1, -np.inf
    while legal:
        card = (legal & -legal).bit_length() - 1
        legal &= legal - 1
        gained = contracts.gain(at, card, bonus)
        if gained > most:
            best, most = card, gained
    return best


@allocating_kernel
def seen_by_sides(laws: Numbers, tables: Tables, one: int) -> Any:  # noqa: ANN401 - a `Sides`
    """What the seat whose turn it is may work out."""
    state, at = tables.states[one], seen(laws, tables, one)
    later: Any = np.zeros(len(OF_CONTRACTS), dtype=np.float64)
    rank_later(state, later)
    shown: Any = np.zeros(SEATS, dtype=np.int64)
    show(state, tables.rows[one], shown)
    sides: Any = Sides(
        at.seat,
        state[ANNOUNCER],
        at.trump if at.trump < tricks.TOPS else tricks.PLAIN,
        state[VALUED],
        state[RANKING],
        at.hand,
        at.lying,
        at.led,
        at.best,
        at.winner,
        at.to_come,
        at.unseen,
        at.sizes,
        at.void,
        later,
        shown,
        np.zeros((SEATS, tricks.CARDS), dtype=np.float64),
        np.zeros(tricks.CARDS, dtype=np.float64),
    )
    partners.suppose(sides)
    return sides


@kernel
def rank_later(state: Round, later: NDArray[np.float64]) -> None:
    """Writes for each ranking which part of the tricks after this one ranks so (CT4)."""
    count = state[HANDS + state[TURN]].bit_count() - 1
    course = state[COURSE]
    for _ in range(count):
        ranking = course & 7 if course else state[RANKING]
        course >>= 3
        later[ranking] += 1
    for ranking in range(len(later)):
        later[ranking] /= max(1, count)


@kernel
def show(state: Round, row: Row, shown: Numbers) -> None:
    """Writes the cards that a seat is known to have held, from the Weis shown (SC3).

    Where its partner has announced too only the best meld is surely its own.
    """
    seat = row[BEST_SEAT]
    if seat < 0 or row[COUNT] < SEATS:
        return
    shown[seat] = row[MELDS + seat]
    if row[ANNOUNCED + (seat + 2) % SEATS] >= 0:
        shown[seat] = best_meld(row[MELDS + seat], state[VALUED])


@kernel
def best_meld(cards: int, ranking: int) -> int:
    """The best meld of those that some cards make up."""
    fours = melds.best_fours(cards, ranking)
    best, strength = 0, -1
    meld = melds.first_weis(cards, fours)
    while meld:
        if melds.weis_strength(meld, ranking) > strength:
            best, strength = meld, melds.weis_strength(meld, ranking)
        cards &= ~meld
        meld = melds.first_weis(cards, fours)
    return best


@kernel
def worth_of_match(laws: Numbers, state: Round) -> float:
    """What the trick in progress is worth beside its points while a match is possible (CT6)."""
    even = state[TAKEN] | state[TAKEN + 2]
    odd = state[TAKEN + 1] | state[TAKEN + 3]
    later = state[HANDS + state[TURN]].bit_count() - 1
    return contracts.for_match(even, odd, laws[MATCH_BONUS], later)
