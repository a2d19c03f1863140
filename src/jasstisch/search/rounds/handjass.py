"""Jass as individuals in a round of tricks: participating seats, Weis and Stöck, strokes.

Weis and Stöck depend on the hands alone: if all hands are known, as in a sampled deal, both are
counted before the first card is played. The functions that find melds and assign marks are those of
`jasstisch.engine` and `jasstisch.games`.
"""

from jasstisch.engine import melds
from jasstisch.games import handjass
from jasstisch.games import weis as of_weis
from jasstisch.search.jit.compiler import kernel, register_jitable_functions
from jasstisch.search.rounds.round_state import (
    EXTRA_POINTS,
    HANDS,
    NEXT_SEAT,
    PLAYER_COUNT,
    RANKING,
    SEATS_IN_PLAY,
    Round,
    start_trick,
)
from jasstisch.search.rounds.round_state import points as points_of

MAX_PLAYERS = 4
"""The maximum number of players (JS1)."""

register_jitable_functions(handjass.round_mark)


@kernel
def set_players(state: Round, seats: int, forehand: int) -> None:
    """Sets the seats that play, two or more; the first of them from forehand on leads (JS6)."""
    first = last = -1
    for step in range(MAX_PLAYERS):
        seat = (forehand + step) % MAX_PLAYERS
        if seats >> seat & 1:
            if last < 0:
                first = seat
            else:
                state[NEXT_SEAT + last] = seat
            last = seat
    state[NEXT_SEAT + last] = first
    state[SEATS_IN_PLAY] = seats
    state[PLAYER_COUNT] = seats.bit_count()
    start_trick(state, first)


@kernel
def rob(state: Round, seat: int, turned: int) -> None:
    """Exchanges the six of trumps, which a seat holds, for the turned card (JS5)."""
    state[HANDS + seat] ^= 1 << handjass.SIXES[state[RANKING]] | 1 << turned


@kernel
def weis_value(hand: int, trump: int) -> tuple[int, int]:
    """The points of all melds of a hand and the strength of the best one, 0 without any (JS7)."""
    return melds.split_value(hand, melds.best_fours(hand, trump), trump)


@kernel
def stoeck_points(hand: int, trump: int) -> int:
    """The points of king and queen of trumps in one hand (JS8)."""
    pair = of_weis.KING_AND_QUEEN[trump]
    return of_weis.STOECK if hand & pair == pair else 0


@kernel
def score_melds(state: Round, first: int) -> None:
    """Counts the best Weis, announced by all seats with a Weis, and the Stöck of playing seats.

    Args:
        state: a round before its first card, all hands known.
        first: the seat that leads.
    """
    best, holder, total = 0, -1, 0
    seat = first
    for _ in range(state[PLAYER_COUNT]):
        hand = state[HANDS + seat]
        state[EXTRA_POINTS + seat] += stoeck_points(hand, state[RANKING])
        points, strength = weis_value(hand, state[RANKING])
        if strength > best:
            best, holder, total = strength, seat, points
        seat = state[NEXT_SEAT + seat]
    if holder >= 0:
        state[EXTRA_POINTS + holder] += total


@kernel
def stroke_mark(state: Round, seat: int, generous: bool) -> int:
    """The strokes of a seat in a finished round, or `games.handjass.NULL` (JS6, JS9)."""
    if state[SEATS_IN_PLAY] & state[SEATS_IN_PLAY] - 1 == 0:
        return handjass.LONE_PLAYER_STROKES if state[SEATS_IN_PLAY] >> seat & 1 else 0
    scores = (
        points_of(state, 0),
        points_of(state, 1),
        points_of(state, 2),
        points_of(state, 3),
    )
    return handjass.round_mark(scores, state[SEATS_IN_PLAY], seat, generous)
