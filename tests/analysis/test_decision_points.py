"""Which decisions of a finished round can be analysed."""

import random

import jasstisch as jt
from jasstisch.analysis.decision_points import decision_points
from tests.rules import match_builders


def match_with_claimed_rest() -> tuple[jt.Match, range, int]:
    """A match after a claimed rest, the steps of the rest, and the seat that claimed it."""
    rng = random.Random(3)
    match = jt.Match(jt.game("molotow", rounds=60))
    while not match.over:
        (seat,) = match.to_act or (0,)
        if match.needs_pack or not match.sure_tricks(seat):
            match_builders.step(match, rng)
            continue
        first = match.step_count + 1
        for acting, action in match.play_out_sure_tricks(seat):
            match.act(acting, action)
        return match, range(first, match.step_count + 1), seat
    raise AssertionError("nobody was sure of the rest")


def test_only_the_claimant_has_decisions_in_a_claimed_rest() -> None:
    match, laid, seat = match_with_claimed_rest()
    decisions = [one for one in decision_points(match) if one.step in laid]
    assert decisions
    assert {one.view["seat"] for one in decisions} == {seat}


def test_all_seats_have_decisions_if_the_rest_is_not_claimed() -> None:
    match, laid, seat = match_with_claimed_rest()
    log = match.record()["log"]
    again = jt.Match(match.game)
    for who, action in log[: laid[0] - 1]:
        again.deal(action) if who == "pack" else again.act(who, action)
    again.act(seat, again.sure_tricks(seat)[-1])
    while len(again.rounds) < len(match.rounds):
        again.act(again.to_act[0], again.legal(again.to_act[0])[0])
    decisions = [one for one in decision_points(again) if one.step in laid]
    assert {one.view["seat"] for one in decisions} == {0, 1, 2, 3}
