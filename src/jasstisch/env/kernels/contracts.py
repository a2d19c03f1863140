"""Contracts in a batch, compiled: announcements, pushes, and the points of sides.

The transitions are those of `jasstisch.games.contracts`. The available announcements, their factors
and the order of pushes are part of the `CompiledRules`. The lines that a side has played before are
a set for each side, its *slate*, with which a round starts and which it does not change.
"""

import numpy as np
from numpy.typing import NDArray

from jasstisch.env.actions import ANNOUNCE, PUSH
from jasstisch.env.kernels.batch_state import (
    ANNOUNCING,
    CONTRACT,
    DEALER,
    FACTOR,
    LINE,
    MATCH_SIDE,
    PHASE,
    PLAYING_CARDS,
    PUSHES,
    RoundRow,
)
from jasstisch.env.kernels.compiled_rules import (
    ANNOUNCER_LEADS,
    ANNOUNCER_WRITES,
    CONTRACT_COLUMN,
    FACTOR_COLUMN,
    LINE_COLUMN,
    MATCH_BONUS,
    MAX_PUSHES,
    PUSH_STEP,
    CompiledRules,
    IntArray,
)
from jasstisch.search.jit.compiler import kernel
from jasstisch.search.rounds import contracts
from jasstisch.search.rounds.round_state import ANNOUNCER, TURN, Round

_SlateArray = NDArray[np.int64]
"""For each side, the set of the lines that it has played."""

_SEATS = 4


@kernel
def start_announcing(row: RoundRow) -> None:
    """Makes forehand, whose turn it is, announce (SC1, CO2)."""
    row[PHASE] = ANNOUNCING


@kernel
def legal_announcements(
    rules: CompiledRules, state: Round, row: RoundRow, slate: _SlateArray
) -> int:
    """The set of the legal announcements of the seat to act (SC1, SC2, CO2)."""
    lines = _announcements_of_open_lines(rules.line_actions, slate[state[TURN] % 2])
    must = row[PUSHES] >= rules.parameters[MAX_PUSHES]
    return lines if lines and must else lines | 1 << PUSH


@kernel
def _announcements_of_open_lines(lines: IntArray, played: int) -> int:
    """The set of the announcements of all lines that have not been played yet (CO1)."""
    found = 0
    for line in range(len(lines)):
        if not played >> line & 1:
            found |= lines[line]
    return found


@kernel
def apply_announcement(
    rules: CompiledRules, state: Round, row: RoundRow, slate: _SlateArray, said: int
) -> None:
    """Applies a push, or a contract, after which play starts (CT2, CO3)."""
    seat = state[TURN]
    if said == PUSH:
        _apply_push(rules, state, row, slate)
        return
    call = rules.announcements[said - ANNOUNCE]
    row[CONTRACT] = call[CONTRACT_COLUMN]
    row[FACTOR] = call[FACTOR_COLUMN]
    row[LINE] = call[LINE_COLUMN]
    row[PHASE] = PLAYING_CARDS
    leader = seat if rules.parameters[ANNOUNCER_LEADS] else (row[DEALER] + 1) % _SEATS
    contracts.start_contract(state, row[CONTRACT], seat, row[PUSHES] > 0, leader)


@kernel
def _apply_push(rules: CompiledRules, state: Round, row: RoundRow, slate: _SlateArray) -> None:
    """Passes the announcement on; a seat that must announce has an open line (SC1, CO2)."""
    row[PUSHES] += 1
    asked = (state[TURN] + rules.parameters[PUSH_STEP]) % _SEATS
    if row[PUSHES] >= rules.parameters[MAX_PUSHES]:
        while not _announcements_of_open_lines(rules.line_actions, slate[asked % 2]):
            asked = (asked + 1) % _SEATS
    state[TURN] = asked


@kernel
def side_points(rules: IntArray, state: Round, seat: int) -> int:
    """The points of a seat's side so far, with the match bonus once it is earned (CT1, CT6)."""
    return contracts.side_points(state, seat, rules[MATCH_BONUS])


@kernel
def score_sides(rules: IntArray, state: Round, row: RoundRow, rewards: NDArray[np.int32]) -> None:
    """Writes the reward of each side for a finished round, the same for both seats (SC5, CO4)."""
    by = state[ANNOUNCER] % 2
    for seat in range(_SEATS):
        writes = rules[ANNOUNCER_WRITES] == 0 or seat % 2 == by
        rewards[seat] = row[FACTOR] * side_points(rules, state, seat) if writes else 0
        if contracts.side_points(state, seat, 1) > contracts.side_points(state, seat, 0):
            row[MATCH_SIDE] = seat % 2
