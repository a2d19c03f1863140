"""Club and master at Handjass: sampled deals, the utility of a round, and their moves."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import jasstisch as jt
from jasstisch.bots.searching import SearchBudget
from jasstisch.bots.searching.budget import CLUB, MASTER
from jasstisch.bots.searching.handjass import _SeatKnowledge
from jasstisch.bots.searching.match_utility import _STROKE_ODDS, utility_params
from jasstisch.engine import slate
from jasstisch.engine.cards import JASS
from jasstisch.games import handjass as rules
from jasstisch.search import round_utility
from jasstisch.search.games.handjass import answers
from jasstisch.search.jit.prng import new_stream
from jasstisch.search.rounds import handjass as jass_round
from jasstisch.search.rounds import round_state
from jasstisch.search.sampling.determinization import replay
from tests.bots.searching.fast_searchers import (
    cards,
    check_legal_play,
    evaluate,
    fast_efforts,
    random_options,
    random_positions,
)
from tests.rules import match_builders
from tests.rules.match_builders import jass, say_all

QUICK = replace(CLUB, max_deals=48, time_limit_s=60.0)
DEEP = replace(MASTER, max_deals=24, max_cards_played=4000, time_limit_s=60.0)
both = pytest.mark.parametrize("effort", [QUICK, DEEP], ids=["club", "master"])

GOOD, BAD = "JA9H AS AD", "679C 679D 78S"


def random_matches(seed: int, players: int, count: int) -> Iterator[jt.Match]:
    """A match with random options, at `count` decisions of random play; some seats may be safe."""
    rng = random.Random(f"{seed} {players}")
    options = random_options("jass", rng) | {"players": players, "dealer": rng.randrange(players)}
    match = jt.Match(jt.game("jass", **options))
    return random_positions(match, rng, count, 0.05)


# Sampled deals.


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_sampled_deals_agree_with_everything_seen__JS3__JS4__JS5__JS7(
    seed: int, players: int
) -> None:
    for match in random_matches(seed, players, 12):
        (observer,) = match.to_act
        view = match.view(observer)
        seat = _SeatKnowledge(view)
        for deal in seat.sample_initial_deals(4, new_stream(random.Random(seed))):
            check_deal(deal, seat, view)


def check_deal(deal: round_state.Round, seat: _SeatKnowledge, view: dict[str, Any]) -> None:
    """Asserts that hands are disjoint, have their sizes and contain the known cards."""
    hands = [int(deal[round_state.HANDS + place]) for place in range(round_state.SEATS)]
    together = sum(hands)
    assert together.bit_count() == sum(hand.bit_count() for hand in hands)
    assert hands[seat.seat] & seat.position.hand == seat.position.hand
    for other in seat.members:
        assert hands[other].bit_count() == 9
    laid_away = cards(view["laid_away"])
    assert not together & laid_away
    shown = 1 << JASS.numbers[view["shown"]]
    if len(seat.members) == 4:
        assert hands[view["dealer"]] & shown
    elif view["robbed"] is not None:
        assert hands[view["robbed"]] & shown
    elif view["blind"] is not None and view["turned"] is None:
        assert hands[view["blind"]] & shown
    if view["weis_shown"] is not None:
        for meld in view["weis_shown"]["melds"]:
            assert hands[view["weis_shown"]["seat"]] & cards(meld["cards"]) == cards(meld["cards"])
    for other in seat.position.playing:
        remaining = hands[other] & (seat.position.unseen | seat.position.hand)
        assert not remaining & seat.position.void[other]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(8))
def test_kernel_points_and_marks_equal_those_of_the_match__JS7__JS8__JS9(
    seed: int, players: int
) -> None:
    """With the hidden hands filled in, a kernel round ends as the match does."""
    rng = random.Random(seed)
    for match in random_matches(seed, players, 10):
        (observer,) = match.to_act
        view = match.view(observer)
        if view["phase"] != "play" or "rob" in match.legal(observer):
            continue
        seat = _SeatKnowledge(view)
        deal = seat.initial_state.copy()
        for other in seat.position.playing:
            deal[round_state.HANDS + other] |= cards(match.hand(other))
        opening = deal[None, :].copy()
        plays = list(seat.plays)
        done = len(match.rounds)
        robbed = False
        while len(match.rounds) == done:
            (turn,) = match.to_act
            legal = match.legal(turn)
            # The kernel assumes that all seats rob and announce if they can.
            wanted = [one for one in legal if one == "rob"] or [
                one for one in legal if one.endswith("weis")
            ]
            action = rng.choice(wanted or legal)
            robbed = robbed or action == "rob"
            if action != "rob":
                plays.append(JASS.numbers[action.split()[1]])
            match.act(turn, action)
        answers.score_melds(opening, seat.public_state)
        replay(opening[0], np.array(plays))
        finished = match.rounds[-1]
        points = [round_state.points(opening[0], other) for other in range(players)]
        assert points == finished["points"]
        generous = match.game.options["ties"] == "generous"
        marks = [jass_round.stroke_mark(opening[0], other, generous) for other in range(players)]
        assert [rules._MARKS[mark] for mark in marks] == finished["marks"]


@pytest.mark.parametrize(
    ("hand", "likelier"), [(GOOD, answers.STAY), (BAD, answers.DROP)], ids=["good", "bad"]
)
def test_hands_that_fit_the_answers_become_likelier__JS4(hand: str, likelier: int) -> None:
    """Staying makes the good hand likelier, and dropping the bad one."""
    found = {}
    for said in ("stay", "drop"):
        match = jass("KH", say=f"{said} stay stay")
        seat = _SeatKnowledge(match.view(3))
        deals = seat.sample_initial_deals(1, new_stream(random.Random(1)))
        deals[0, round_state.HANDS] = cards(match_builders.cards(hand))
        likely = np.ones(1)
        answers.reweight_by_answers(deals, seat.public_state, likely)
        found[{"stay": answers.STAY, "drop": answers.DROP}[said]] = likely[0]
    assert max(found, key=lambda said: found[said]) == likelier


def test_hands_with_the_announced_weis_become_likelier__JS7() -> None:
    match = jass("KH", {0: "678C", 1: "QTS"})
    match.act(0, "play 6C weis")
    seat = _SeatKnowledge(match.view(1))
    deals = seat.sample_initial_deals(2, new_stream(random.Random(1)))
    for deal, hand in zip(deals, ("678C 6T9D JQS 6H", "689C 6T9D JQS 6H"), strict=True):
        deal[round_state.HANDS] = cards(match_builders.cards(hand))
    likely = np.ones(2)
    answers.reweight_by_melds(deals, seat.public_state, likely)
    assert likely[0] > 10 * likely[1]


# Utility of a round.


def finished(match: jt.Match, points: list[int]) -> round_state.Round:
    """A finished round of all seats that have not dropped, with these points."""
    seat = _SeatKnowledge(match.view(0))
    state = seat.initial_state.copy()
    state[round_state.TURN] = -1
    state[round_state.EXTRA_POINTS : round_state.EXTRA_POINTS + 4] = points
    return state


def round_utilities(match: jt.Match, points: list[int]) -> list[float]:
    utilities = np.zeros(round_state.SEATS)
    round_utility.round_utility(finished(match, points), utility_params(match.view(0)), utilities)
    return [float(one) for one in utilities[:4]]


def test_a_stroke_is_worth_more_than_no_mark_and_a_null_less__JS9() -> None:
    match = jass("KH")
    stroke, nothing, null = (round_utilities(match, [own, 40, 30, 29])[0] for own in (45, 25, 20))
    assert stroke > nothing > null


def test_a_null_costs_as_much_as_a_stroke_earns__JS10() -> None:
    """The odds of being the last one left grow by the same factor with each stroke to go."""
    match = jass("KH")
    utilities = round_utilities(match, [50, 40, 25, 10])
    odds = np.array([_STROKE_ODDS**-1, _STROKE_ODDS**-1, 1, _STROKE_ODDS])
    assert utilities == pytest.approx(list(1 - odds / odds.sum()))


def test_the_last_two_seats_can_become_safe_together__JS10() -> None:
    made = utility_params(jass("KH").view(0))
    made[round_utility.TALLIES_TO_GO : round_utility.TALLIES_TO_GO + 4] = [1, 1, 0, 0]
    utilities = np.zeros(round_state.SEATS)
    round_utility.round_utility(finished(jass("KH"), [50, 40, 0, 0]), made, utilities)
    assert list(utilities[:4]) == [1, 1, 1, 1]


def test_the_only_seat_in_play_writes_two_strokes__JS6() -> None:
    state = finished(jass("KH"), [0, 0, 0, 0])
    state[round_state.SEATS_IN_PLAY] = 0b0100
    marks = [jass_round.stroke_mark(state, seat, False) for seat in range(4)]
    assert [rules._MARKS[mark] for mark in marks] == ["-", "-", slate.TALLY * 2, "-"]


# Moves.


@both
@pytest.mark.parametrize(("hand", "said"), [(GOOD, "stay"), (BAD, "drop")])
def test_a_good_hand_is_played_and_a_bad_one_dropped__JS4(
    hand: str, said: str, effort: SearchBudget
) -> None:
    assert evaluate(jass("KH", {1: hand}, say="stay"), effort)[0].action == said


@both
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize(("hand", "said"), [(GOOD + " KQC", "stay"), (BAD, "blind")])
def test_the_blind_is_taken_with_a_bad_hand_only__JS4(
    players: int, hand: str, said: str, effort: SearchBudget
) -> None:
    assert evaluate(jass("6H", {0: hand}, players, say=" "), effort)[0].action == said


@both
def test_the_turned_card_is_robbed__JS5(effort: SearchBudget) -> None:
    match = jass("JH", {0: "69H 68C 79D 78S", 1: "AH"}, 2, say="stay stay")
    assert "rob" in match.legal(0)
    assert evaluate(match, effort)[0].action == "rob"


@both
def test_the_six_is_kept_if_its_run_counts_more__JS5__JS7(effort: SearchBudget) -> None:
    """Twenty of the twenty-one points needed, for a hand that will hardly take a trick."""
    match = jass("QH", {0: "678H 68C 79D 69S"}, 2, say="stay stay")
    assert "rob" in match.legal(0)
    assert evaluate(match, effort)[0].action.endswith(" weis")


@both
def test_a_weis_that_may_score_is_announced__JS7(effort: SearchBudget) -> None:
    match = jass("KH", {0: "678C", 1: "QKAS"})
    for seat in (0, 1):
        assert match.to_act == (seat,)
        best = evaluate(match, effort)[0].action
        assert best.endswith(" weis")
        match.act(seat, best)


@both
def test_a_weis_that_is_already_beaten_is_not_announced__JS7(effort: SearchBudget) -> None:
    """It would only reveal cards to the others."""
    match = jass("KH", {0: "6789C", 1: "QKAS"})
    match.act(0, "play 6C weis")
    best, *_ = evaluate(match, effort)
    assert f"{best.action} weis" in match.legal(1)


@fast_efforts
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(1))
def test_whole_matches_are_played_by_the_rules__JS10(
    seed: int, players: int, effort: SearchBudget
) -> None:
    """With random options, until at most one seat is left."""
    rng = random.Random(seed)
    options = random_options("jass", rng)
    options |= {"target": 5, "players": players, "dealer": rng.randrange(players)}
    match = jt.Match(jt.game("jass", **options))
    check_legal_play(match, effort, rng, rounds=100)
    assert match.over
    assert len(match.winners) >= players - 1


@fast_efforts
@pytest.mark.parametrize("say", [" ", "stay stay stay stay", "stay drop drop stay"])
@pytest.mark.parametrize("seed", range(4))
def test_hidden_cards_do_not_matter(seed: int, say: str, effort: SearchBudget) -> None:
    """The hands of two others change seats; the evaluation stays the same."""
    hands = match_builders.random_hands(4, random.Random(seed))
    found = []
    for others in (hands[1:3], hands[2:0:-1]):
        match = match_builders.start("jass", [hands[0], *others, hands[3]])
        say_all(match, say)
        assert match.to_act == (0,)
        found.append(evaluate(match, effort, seed))
    assert found[0] == found[1]


@fast_efforts
@pytest.mark.parametrize("say", [" ", "stay stay stay stay"])
def test_same_seed_gives_same_evaluation_and_another_seed_differs(
    say: str, effort: SearchBudget
) -> None:
    match = jass("KH", say=say)
    assert evaluate(match, effort, 5) == evaluate(match, effort, 5)
    assert evaluate(match, effort, 5) != evaluate(match, effort, 6)


@both
@pytest.mark.parametrize("say", [" ", "stay stay"])
def test_a_search_ends_when_its_time_is_over(say: str, effort: SearchBudget) -> None:
    """The clock advances a second with each reading: after a few readings the move is made."""
    seconds = iter(range(1000))
    hurried = replace(
        effort,
        max_deals=512,
        max_cards_played=80_000,
        time_limit_s=2.0,
        clock=lambda: next(seconds),
    )
    match = jass("JH", {0: "69H 789C"}, 2, say=say)
    assert evaluate(match, hurried)
    assert next(seconds) <= 8
