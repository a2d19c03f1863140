"""The utility of a finished round. Other modules compare its marks with matches."""

import numpy as np
import pytest

from jasstisch.games import scoring_kinds
from jasstisch.search import round_utility
from jasstisch.search.rounds import round_state


def finished(game: int, scores: list[int]) -> round_state.Round:
    """A round that is over, with these round scores."""
    state = round_state.new_round(range(len(scores)))
    state[round_state.SCORING] = game
    round_state.set_ranking(state, 0)
    state[round_state.TURN] = -1
    state[round_state.EXTRA_POINTS : round_state.EXTRA_POINTS + len(scores)] = scores
    return state


def utilities(state: round_state.Round, stakes: round_utility.UtilityParams) -> list[float]:
    found = np.zeros(round_state.SEATS)
    round_utility.round_utility(state, stakes, found)
    return [float(one) for one in found[: state[round_state.PLAYER_COUNT]]]


def slate(to_go: list[int], **stakes: float) -> round_utility.UtilityParams:
    """Utility parameters for four at Molotov, with these tallies to go."""
    made = np.zeros(round_utility.PARAM_COUNT)
    made[round_utility.TALLY_ODDS], made[round_utility.WIN_VALUE] = 0.5, 1.0
    for name, value in stakes.items():
        made[getattr(round_utility, name)] = value
    marks = (round_utility.TALLY, round_utility.TALLY, round_utility.NO_MARK, round_utility.SACK)
    made[round_utility.PLACE_MARKS : round_utility.PLACE_MARKS + 4] = marks
    made[round_utility.TALLIES_TO_GO : round_utility.TALLIES_TO_GO + 4] = to_go
    return made


def test_tally_is_worth_more_than_no_mark_and_a_sack_less__MV8() -> None:
    found = utilities(finished(scoring_kinds.BY_PLACE, [60, 20, 10, 67]), slate([5, 5, 5, 5]))
    assert found[1] == found[2] > found[0] > found[3]
    assert sum(found) == pytest.approx(1)


def test_lowest_score_among_seats_at_the_target_wins__MV10() -> None:
    """Seats 1 and 2 write their last tallies; seat 3 was as near and writes a sack."""
    found = utilities(finished(scoring_kinds.BY_PLACE, [60, 20, 10, 67]), slate([5, 1, 1, 1]))
    assert found == [0, 0, 1, 0]


def test_equal_scores_at_the_target_share_the_match__MV10() -> None:
    found = utilities(finished(scoring_kinds.BY_PLACE, [60, 20, 20, 57]), slate([5, 1, 1, 5]))
    assert found == [0, 0.5, 0.5, 0]


def test_points_count_with_the_point_value_besides_the_match__MV6() -> None:
    """If the match has no value, each point lowers the utility by the point value."""
    found = utilities(
        finished(scoring_kinds.BY_PLACE, [60, 20, 10, 67]),
        slate([5] * 4, WIN_VALUE=0.0, POINT_VALUE=2.0),
    )
    assert found == [-120, -40, -20, -134]


def test_void_round_keeps_the_winning_odds_and_gives_all_equal_points__MV7() -> None:
    """It is dealt again: the chances in the match stay as they are, whatever the points were."""
    state = finished(scoring_kinds.BY_PLACE, [60, 20, 10, 67])
    round_state.set_ranking(state, -1)
    found = utilities(state, slate([4, 5, 5, 5], WIN_VALUE=10.0, POINT_VALUE=1.0, TRUMP_NEEDED=1.0))
    assert found == pytest.approx([4 - 157 / 4] + [2 - 157 / 4] * 3)


def test_draw_between_three_costs_each_a_third_of_the_potato__MW8() -> None:
    stakes = np.zeros(round_utility.PARAM_COUNT)
    stakes[round_utility.OTHERS_STICKS] = 3
    found = utilities(finished(scoring_kinds.BY_STICKS, [20, 97, 20, 20]), stakes)
    assert found == pytest.approx([-1 / 3, 1, -1 / 3, -1 / 3])


@pytest.mark.parametrize(
    ("bid", "extra", "zero_bonus", "expected"),
    [(42, 42, 0, 10), (42, 41, 0, -1), (0, 0, 0, 10), (0, 0, 1, 0), (0, 0, 2, 0)],
)
def test_exact_bid_earns_its_bonus__DF8(
    bid: int, extra: int, zero_bonus: int, expected: float
) -> None:
    """Without a trick; a bid of 0 earns the bonus always, with a trick, or never."""
    state = finished(scoring_kinds.BY_DIFFERENCE, [extra, 0, 0, 0])
    state[round_state.TARGET] = bid
    stakes = np.zeros(round_utility.PARAM_COUNT)
    stakes[round_utility.EXACT_BONUS], stakes[round_utility.ZERO_BONUS] = 1, zero_bonus
    assert utilities(state, stakes)[0] == expected
