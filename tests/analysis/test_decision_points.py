"""Which decisions of a finished round can be analysed."""

import random

import jasstisch as jt
from jasstisch.analysis.decision_points import decision_points
from tests.rules import match_builders


def with_a_rest() -> tuple[jt.Match, range, int]:
    """A match in which all tricks left were laid at once: the steps of it, and whose they were."""
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


def test_what_was_laid_for_others_with_the_rest_of_a_round_is_not_judged_as_theirs() -> None:
    match, laid, seat = with_a_rest()
    judged = [one for one in decision_points(match) if one.step in laid]
    assert judged
    assert {one.view["seat"] for one in judged} == {seat}


def test_who_does_not_take_the_rest_leaves_the_others_their_choices() -> None:
    match, laid, seat = with_a_rest()
    log = match.record()["log"]
    again = jt.Match(match.game)
    for who, action in log[: laid[0] - 1]:
        again.deal(action) if who == "pack" else again.act(who, action)
    again.act(seat, again.sure_tricks(seat)[-1])
    while len(again.rounds) < len(match.rounds):
        again.act(again.to_act[0], again.legal(again.to_act[0])[0])
    judged = [one for one in decision_points(again) if one.step in laid]
    assert {one.view["seat"] for one in judged} == {0, 1, 2, 3}
