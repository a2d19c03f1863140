"""A round of a batch as a match: the same views as in a match that was played beside it."""

from random import Random
from typing import Any

import pytest

import jasstisch as jt
from jasstisch import env
from jasstisch.engine import tricks
from jasstisch.engine.cards import cards_in_set
from tests.env.test_batch import case_id, dealt_batch
from tests.env.test_single_agent import TABLES


@pytest.mark.parametrize(("name", "options"), TABLES, ids=case_id)
def test_match_of_a_round_has_the_views_of_the_match_played_beside_it(
    name: str, options: dict[str, Any]
) -> None:
    playing_on = {"end": "round"} if name == "schieber" else {}
    game = jt.game(name, **options, **playing_on)
    batch, reference = dealt_batch(game, seed=5, envs=4)
    compare_all_views(batch, reference)
    while (batch.turn >= 0).any():
        acting, actions = batch.turn >= 0, batch.random_legal()
        batch.step(actions)
        for number in range(4):
            if acting[number]:
                reference.act(number, int(actions[number]))
        compare_all_views(batch, reference)


def compare_all_views(batch: env.Batch, reference: Any) -> None:
    """Compares what each seat and a spectator see in each round."""
    for number, expected in enumerate(reference.matches):
        found = batch.match(number)
        assert found.to_act == expected.to_act
        for seat in (None, *range(batch.game.players)):
            assert found.view(seat) == expected.view(seat)


def test_match_of_a_round_that_waits_for_bids_waits_for_them() -> None:
    match = env.Batch(jt.game("differenzler"), 3).match(2)
    assert match.to_act == (0, 1, 2, 3)
    assert match.view(0)["phase"] == "bid"


def test_match_of_a_round_is_a_match_of_its_own() -> None:
    batch = env.Batch(jt.game("molotov"), 1, seed=1)
    match = batch.match(0)
    match.act(match.to_act[0], match.legal(match.to_act[0])[0])
    assert batch.match(0).view(None)["trick"] == []
    again = jt.Match.from_record(batch.match(0).record())
    assert again.view(1) == batch.match(0).view(1)


def test_match_of_a_round_goes_on_to_the_last_card_whatever_the_target__SC6() -> None:
    batch = env.Batch(jt.game("schieber", multipliers="swiss", target=1000), 1)
    batch.reset(packs=[range(36)], dealers=[0])
    dealt_to = [0] * 36
    for seat in range(4):
        for card in cards_in_set(int(batch.observe(seat)["hand"][0])):
            dealt_to[card] = seat
    suits = [cards_in_set(cards) for cards in tricks.SUIT_CARDS]
    batch.reset(packs=[[next(suits[seat]) for seat in dealt_to]], dealers=[0])
    while (batch.turn >= 0).any():
        legal = [text for number, text in batch.actions.items() if batch.legal()[0] >> number & 1]
        chosen = next((text for text in ("tops", "weis") if text in legal), legal[-1])
        batch.step([next(n for n, text in batch.actions.items() if text == chosen)])
        assert batch.match(0).to_act == tuple(seat for seat in batch.turn.tolist() if seat >= 0)
    match = batch.match(0)
    # A whole suit each: all tricks and two Weis, three times each.
    assert match.view(None)["rounds"][0]["points"] == [0, 457, 0, 457]
    assert max(one["points"] for one in match.standing) == 3 * 457


def test_match_of_a_round_that_does_not_exist_is_refused() -> None:
    batch = env.Batch(jt.game("molotov"), 3, seed=Random(1).randrange(9))
    for wrong in (3, -1, True, 1.0):
        with pytest.raises(jt.GameError, match="a round is a number from 0 to 2, not"):
            batch.match(wrong)  # type: ignore[arg-type]
