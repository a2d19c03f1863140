"""Sociable at I Doubt It: when it doubts and passes, what it claims, how its deals end."""

from __future__ import annotations

import random

import pytest

import jasstisch as jt
from bench.strength.doubt_rates import play_deals
from jasstisch import arena
from jasstisch.bots.sociable import doubt_probability, own_cards_in_middle
from tests.games.test_i_doubt_it import all_pass, lay, start, unseen

SOCIABLE = jt.bot("sociable")


def actions(match: jt.Match, seeds: int = 200) -> list[str]:
    """The actions of sociable for the seat to act, one for each seed."""
    (seat,) = match.to_act
    view, legal = match.view(seat), match.legal(seat)
    found = [SOCIABLE.act(view, legal, random.Random(seed)) for seed in range(seeds)]
    assert all(action in legal for action in set(found))
    return found


def doubt_rate(match: jt.Match) -> float:
    """How often it doubts the open claim."""
    answers = actions(match)
    return answers.count("doubt") / len(answers)


def answerer_doubt_probability(match: jt.Match) -> float:
    """The probability that the seat to answer doubts."""
    return doubt_probability(match.view(match.to_act[0]))


# Doubting.


@pytest.mark.parametrize("held", ["KC KD", "KC KD KH", "KC KD KH KS"])
def test_claim_disproved_by_own_cards_is_doubted_unless_the_middle_is_empty(
    held: str,
) -> None:
    """Over an empty middle the liar would only take back their own cards."""
    match = start({3: held})
    lay(match, rank="K")
    match.act(1, "pass")
    match.act(2, "pass")
    assert doubt_rate(match) == 0
    match.act(3, "pass")
    lay(match, rank="A")
    all_pass(match)
    lay(match, rank="K")
    assert doubt_rate(match) == 1


def test_a_fee_makes_every_certain_lie_worth_doubting__ID9() -> None:
    match = start({1: "KC KD"}, lie_fee=1)
    lay(match, rank="K")
    assert doubt_rate(match) == 1


def test_last_cards_known_to_be_a_lie_are_doubted_over_an_empty_middle__ID6() -> None:
    """Eight players hold six cards each: two undoubted claims empty the first hand."""
    match = start({0: "2C 3C 4C 5C 6C 7C", 1: "KC KD 8C 9C TC JC"}, players=8)
    lay(match, "2C 3C 4C", rank="A")
    all_pass(match)
    for _ in range(7):
        lay(match)
        match.act(match.to_act[0], "doubt")
    lay(match, "5C 6C 7C", rank="K")
    assert (match.view(1)["middle"], match.view(1)["hand_sizes"][0]) == (0, 0)
    assert doubt_rate(match) == 1


def test_claim_of_a_player_with_many_cards_is_passed_without_own_evidence() -> None:
    match = start({1: "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC AC 2D"})
    lay(match, rank="K")
    assert doubt_rate(match) < 0.03


OTHERS_KINGS = {1: "KC 2C 3C 4C", 2: "KD KH KS"}
"""Seat 1 holds one king, and seat 0, which claims kings, none."""


def test_a_player_who_took_the_middle_and_holds_many_cards_is_believed() -> None:
    match = start({0: "5C 6C 7C", **OTHERS_KINGS})
    unseen(match, 4)
    lay(match, rank="2" if match.hand(0)[0][0] != "2" else "3")
    match.act(1, "doubt")
    unseen(match, 3)
    lay(match, rank="9")
    assert match.view(1)["hand_sizes"][0] == 19
    assert answerer_doubt_probability(match) == 0


def test_doubt_probability_rises_as_the_hand_of_the_claimant_shrinks() -> None:
    found = []
    for turns in (0, 4):
        match = start(OTHERS_KINGS)
        unseen(match, turns)
        lay(match, rank="K")
        found.append((match.view(1)["hand_sizes"][0], answerer_doubt_probability(match)))
    (many, seldom), (few, often) = found
    assert many > few
    assert 0 < seldom < often < 0.2


def test_claim_of_all_remaining_cards_of_a_rank_is_doubted_more() -> None:
    chances = []
    for rank in ("K", "Q"):
        match = start({1: "KC 2C 3C 4C", 2: "KD KH KS", 3: "QC QD QH QS"})
        lay(match, rank=rank)
        chances.append(answerer_doubt_probability(match))
    of_all, of_some = chances
    assert of_all > 2 * of_some > 0


def test_a_player_caught_in_most_of_their_claims_is_usually_doubted() -> None:
    match = start({0: "2C 3C 4C 5D"})
    for _ in range(2):
        lay(match, "2C 3C 4C", rank="A")
        match.act(1, "doubt")
        for _ in range(3):
            lay(match)
            all_pass(match)
    lay(match, "2C 3C 5D", rank="K")
    assert 0.6 < doubt_rate(match) < 0.95


def test_own_cards_are_remembered_as_long_as_they_lie_in_the_middle() -> None:
    match = start({0: "KC KD 4C 5C", 1: "6C 7C 8C"})
    lay(match, "KC KD 4C", rank="A")
    all_pass(match)
    assert own_cards_in_middle(match.view(0)) == ["KC", "KD", "4C"]
    assert own_cards_in_middle(match.view(1)) == []
    lay(match, "6C 7C 8C", rank="K")
    match.act(2, "pass")
    match.act(3, "pass")
    assert answerer_doubt_probability(match) == 0  # six cards are too few to be worth a doubt
    match.act(0, "pass")
    unseen(match, 1)
    lay(match, rank="K")
    assert doubt_rate(match) == 1
    match.act(0, "doubt")
    assert own_cards_in_middle(match.view(0)) == []


def test_cards_that_others_have_drawn_from_the_middle_are_forgotten__ID5() -> None:
    match = start({6: "234C 5D 6H 7S 9C"}, players=7)
    unseen(match, 6)
    lay(match, "5D 6H 7S")
    all_pass(match)
    unseen(match, 6)
    lay(match, "2C 3C 4C")
    all_pass(match)
    assert match.view(None)["turns"][-1]["drew"] == 2
    assert own_cards_in_middle(match.view(6)) == ["5D", "6H", "7S", "2C"]


# Laying.


def test_three_of_a_rank_are_claimed_truthfully__ID2() -> None:
    match = start({0: "KC KD KH 2C 4S 5D 6H 7C 8S 9D TH JC 3D"})
    assert set(actions(match, 20)) == {"lay KC KD KH as K"}


def test_without_three_of_a_rank_sociable_lies() -> None:
    match = start({0: "KC KD 2C 2S 5D 5H 7C 8S 9D TH JC 3D AS"})
    (action,) = set(actions(match, 20))
    _, *laid, _, rank = action.split()
    assert any(card[0] != rank for card in laid)


def test_last_cards_are_laid_with_last_any__ID5() -> None:
    match = start(players=7, last="any")
    unseen(match, 14)
    (action,) = set(actions(match, 5))
    assert action.split()[1:-2] == match.hand(0)


# Conduct and strength.


def test_sociable_refuses_other_games() -> None:
    match = jt.Match(jt.game("molotov"))
    view = match.view(0)
    with pytest.raises(jt.GameError, match="sociable cannot play molotov; it plays i-doubt-it"):
        SOCIABLE.act(view, ["play JC"], random.Random(0))


def test_same_seed_gives_same_deals() -> None:
    assert list(play_deals(SOCIABLE, 2)) == list(play_deals(SOCIABLE, 2))


def test_four_sociable_bots_mostly_pass_and_go_out_before_the_limit__ID8() -> None:
    """Over 200 deals they doubt one claim of five and go out in six deals of seven."""
    deals = list(play_deals(SOCIABLE, 40))
    claims = sum(deal.claims for deal in deals)
    assert 0.1 < sum(deal.doubted for deal in deals) / claims < 0.3
    assert sum(deal.true for deal in deals) / claims > 0.35
    assert sum(deal.out for deal in deals) / len(deals) > 0.7


def test_sociable_beats_the_random_bot() -> None:
    table = arena.contest(jt.game("i-doubt-it"), ["sociable", "random"])
    figures = {one["name"]: one["mean"] for one in arena.run(table, deals=6, seed=1)["bots"]}
    assert figures["sociable"] > 3 > figures["random"]
