"""The bot `greedy` at the rounds of a batch, compiled: the very functions of `bots.greedy`.

Only the position they look at is made here, from the arrays of a batch instead of a view. A test
plays both side by side. Where partners play together `env.partners` does it.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jasstisch import melds, tricks
from jasstisch.bots import position
from jasstisch.bots.greedy import (
    differenzler,
    ducking,
    jass,
    molotov,
    molotow,
    outlook,
    taking,
)
from jasstisch.bots.odds import few_or_many
from jasstisch.cards import SIX_OF_DIAMONDS
from jasstisch.env.actions import ROB, STAY, WEIS
from jasstisch.env.laws import KIND, OTHERS, PLAYERS, Laws, Numbers
from jasstisch.env.rows import (
    ANSWERING,
    BLIND,
    COUNT,
    LAID_AWAY,
    PHASE,
    PLAYING,
    TURNED,
    Row,
    Tables,
)
from jasstisch.games.scoring import BY_DIFFERENCE, BY_PLACE, BY_STICKS
from jasstisch.search import rounds
from jasstisch.search.compiled import allocating_kernel, kernel, shared
from jasstisch.search.rounds import (
    BEST,
    BOMBS,
    FOLLOWER,
    HANDS,
    HOLDER,
    LAID,
    LED,
    LYING,
    RANKING,
    TAKEN,
    TARGET,
    TURN,
    UNDERTRUMP,
    Round,
)

__all__ = ["GAMES", "bid", "choose", "seen"]

GAMES = ("differenzler", "jass", "molotov", "molotow", "offenbach")
"""The games each for himself whose rules of thumb are compiled."""

shared(
    few_or_many,
    position.undertrumps,
    position.withheld,
    outlook.above,
    outlook.last_card_takes,
    outlook.may_hold,
    outlook.mean,
    outlook.none_of,
    outlook.points_to_come,
    outlook.shares,
    outlook.suit_led,
    outlook.worth,
    taking.chance_to_take,
    taking.promise,
    ducking.burden,
    ducking.chance_to_be_stuck,
    ducking.ruffs_over,
    differenzler.apart,
    differenzler.bid,
    differenzler.gap,
    differenzler.last_gap,
    molotov.bombs,
    molotov.gift,
    molotov.own_points,
    molotov.threat,
    molotov.trump_then,
    molotow.likely,
    molotow.mark,
    molotow.mark_after,
    molotow.takers,
    jass.answer,
    jass.gain,
    jass.held,
    jass.points_in_play,
    jass.robbing_pays,
    jass.strength,
    jass.strength_of_blind,
)


class Seen(NamedTuple):
    """What the rules of thumb look at in a `bots.position.Position`, under the same names."""

    seat: int
    players: int
    playing: NDArray[np.int64]
    trump: int
    hand: int
    lying: int
    led: int
    best: int
    winner: int
    to_come: NDArray[np.int64]
    taken: NDArray[np.int64]
    unseen: int
    absent: int
    sizes: NDArray[np.int64]
    void: NDArray[np.int64]


@allocating_kernel
def choose(laws: Laws, tables: Tables, acting: NDArray[np.bool_], actions: Numbers) -> None:
    """Writes what it does for the seat whose turn it is in each of these rounds."""
    for one in range(len(acting)):
        if acting[one]:
            actions[one] = action(laws.numbers, tables, one)


@kernel
def bid(laws: Numbers, tables: Tables, acting: NDArray[np.bool_], seat: int, bids: Numbers) -> None:
    """Writes what it bids at a seat of these rounds (n, p)."""
    for one in range(len(acting)):
        if acting[one]:
            hand, trump = tables.states[one, HANDS + seat], tables.states[one, RANKING]
            bids[one, seat] = differenzler.bid(hand, trump, laws[PLAYERS])


@allocating_kernel
def action(laws: Numbers, tables: Tables, one: int) -> int:
    """What it does now in one round."""
    state, row, legal = tables.states[one], tables.rows[one], tables.legal[one]
    at = seen(laws, tables, one)
    if row[PHASE] == ANSWERING:
        return STAY + jass.answer(at, row[TURNED] if row[BLIND] else -1, laws[PLAYERS] == 2)
    if legal >> ROB & 1 and jass.robbing_pays(at, row[TURNED]):
        return ROB
    if legal >> WEIS & 1:
        return WEIS
    best, worst = -1, np.inf
    while legal:
        card = (legal & -legal).bit_length() - 1
        legal &= legal - 1
        if card >= STAY:
            break
        cost = dislike(laws, state, at, card)
        if cost < worst:
            best, worst = card, cost
    return best


@allocating_kernel
def dislike(laws: Numbers, state: Round, at: Any, card: int) -> float:  # noqa: ANN401
    """How little it likes a card; the least is best."""
    if laws[KIND] == BY_DIFFERENCE:
        missing = state[TARGET + at.seat] - rounds.points(state, at.seat)
        return differenzler.gap(at, card, missing)
    if laws[KIND] == BY_STICKS:
        return -molotow.mark_after(at, card, laws[OTHERS])
    if laws[KIND] == BY_PLACE:
        weis = state[BOMBS] == melds.BOMBS_AS_WEIS
        # A round is played as the first one of a match: all are equally near its end (MV9).
        leader = 1 if at.seat == 0 else 0
        return molotov.own_points(at, card, weis) - molotov.gift(at, card, leader, weis)
    return -jass.gain(at, card)


@allocating_kernel
def seen(laws: Numbers, tables: Tables, one: int) -> Any:  # noqa: ANN401 - a `Seen` to kernels
    """What the seat whose turn it is knows of one round."""
    state, row = tables.states[one], tables.rows[one]
    seat, players, laid = state[TURN], laws[PLAYERS], state[LAID]
    sizes: Any = np.empty(players, dtype=np.int64)
    playing: Any = np.empty(players, dtype=np.int64)
    out = state[HANDS + seat] | state[LYING] | row[LAID_AWAY + seat]
    if row[TURNED] >= 0:
        out |= 1 << row[TURNED]
    held = many = 0
    for other in range(players):
        sizes[other] = state[HANDS + other].bit_count()
        out |= state[TAKEN + other]
        held += sizes[other]
        if row[PLAYING] >> other & 1:
            playing[many] = other
            many += 1
    unseen = tricks.WHOLE_PACK & ~out
    if players == 5:
        unseen &= ~(1 << SIX_OF_DIAMONDS)  # they play without it (MV1)
    to_come: Any = np.empty(players, dtype=np.int64)
    follower, coming = seat, max(0, many - 1 - laid)
    for place in range(coming):
        follower = to_come[place] = state[FOLLOWER + follower]
    return Seen(
        seat,
        players,
        playing[:many],
        state[RANKING],
        state[HANDS + seat],
        state[LYING],
        state[LED],
        state[BEST],
        state[HOLDER] if laid else seat,
        to_come[:coming],
        state[TAKEN : TAKEN + players],
        unseen,
        unseen.bit_count() - held + sizes[seat],
        sizes,
        voids(laws, state, row, tables.history[one], many),
    )


@allocating_kernel
def voids(
    laws: Numbers, state: Round, row: Row, history: NDArray[np.int8], playing: int
) -> NDArray[np.int64]:
    """For each seat the set of the cards it has shown not to hold, as `Position` finds them."""
    void: Any = np.zeros(laws[PLAYERS], dtype=np.int64)
    makes_trump = laws[KIND] == BY_PLACE or laws[KIND] == BY_STICKS
    trump = -1 if makes_trump else state[RANKING]
    led = top = -1
    card: Any  # a word, as the other numbers
    for place in range(row[COUNT]):
        seat, card = history[place, 0], np.int64(history[place, 1])
        if place % playing == 0:
            led, top = card // tricks.RANKS, -1
        below = position.undertrumps(card, top, trump)
        if not (below and state[UNDERTRUMP] == tricks.FREE):
            void[seat] |= position.withheld(card, led, trump, below)
        trump = tricks.trump_after(card, led, trump)
        if card // tricks.RANKS == trump and trump != led and not below:
            top = card
    return void
