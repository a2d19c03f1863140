"""Round endings as small games: real rules, a common past, hidden hands."""

from collections import defaultdict
from random import Random
from typing import Any

import pytest

import jasstisch as jt
from jasstisch.bots.position import Position
from jasstisch.engine.cards import JASS, card_set
from jasstisch.equilibria.endgames import GAMES, Endgame, random_endgame
from jasstisch.equilibria.game_tree import LabelledTree, build_tree

ENDINGS = {name: random_endgame(name, Random(name), left=2) for name in GAMES}
GROWN = {
    name: build_tree(game.positions(), 3, by_bid=game.has_bids) for name, game in ENDINGS.items()
}


def begun(game: Endgame, number: int) -> jt.Match:
    return game.match(number, [0, 0, 0])


@pytest.mark.parametrize("name", GAMES)
def test_all_deals_share_the_past_and_differ_in_the_cards_left(name: str) -> None:
    game = ENDINGS[name]
    matches = [begun(game, number) for number in range(len(game.start_matches))]
    assert len({str([match.hand(seat) for seat in range(3)]) for match in matches}) == 90
    assert len({str(match.view(None)) for match in matches}) == 1
    assert len(matches[0].view(None)["tricks"]) == 10


def test_with_three_cards_each_there_are_1680_deals() -> None:
    game = random_endgame("molotov", Random(1))
    assert len({str(dealt) for dealt in game.hands_by_deal}) == 1680
    view = game.match(0).view(0)
    assert view["hand_sizes"] == [3, 3, 3]
    assert len(view["tricks"]) == 9


@pytest.mark.parametrize("name", GAMES)
def test_nobody_has_shown_a_void_so_all_deals_are_possible(name: str) -> None:
    game = ENDINGS[name]
    for number in (0, 89):
        match = begun(game, number)
        for seat in range(3):
            position = Position(match.view(seat), discard_makes_trump=name == "molotov")
            others = [match.hand(other) for other in range(3) if other != seat]
            assert position.unseen == card_set(JASS.numbers[card] for own in others for card in own)
            assert not any(position.void[other] & position.unseen for other in range(3))


@pytest.mark.parametrize("name", GAMES)
def test_a_seat_has_the_same_information_set_wherever_it_knows_the_same(name: str) -> None:
    game, grown = ENDINGS[name], GROWN[name]
    seen: dict[Any, set[str]] = defaultdict(set)
    for number in range(90):
        for known in grown.information_sets:
            if grown.tree.hands[number, known.seat] == known.hand and not known.done:
                seen[known.seat, known.hand].add(str(begun(game, number).view(known.seat)))
    assert len(seen) == 15
    assert all(len(views) == 1 for views in seen.values())


@pytest.mark.parametrize("name", GAMES)
def test_the_tree_contains_exactly_the_legal_actions(name: str) -> None:
    """The last trick plays itself, and the outcome is the score of the round."""
    game, grown = ENDINGS[name], GROWN[name]
    for known in grown.information_sets[::7]:
        match = game.match(known.deal, [0, 0, 0], known.done)
        assert match.to_act == (known.seat,)
        assert tuple(match.legal(known.seat)) == known.actions
    assert max(len(known.done) for known in grown.information_sets) == 2
    assert walked(game) == [abs(score) for score in grown.tree.scores[first_end(grown)]]


def first_end(grown: LabelledTree) -> int:
    """The end of the first deal when everybody takes the first action."""
    node, tree = 0, grown.tree
    while tree.seat[node] >= 0:
        node = int(tree.edges[tree.below[node]])
    return node


def walked(game: Endgame) -> list[int]:
    """The points of the first deal if everybody plays their first legal card."""
    match = begun(game, 0)
    while not match.rounds:
        match.act(match.to_act[0], match.legal(match.to_act[0])[0])
    points: list[int] = match.rounds[0]["points"]
    return points


def test_bids_are_hidden_and_precede_the_first_remaining_card() -> None:
    match = ENDINGS["differenzler"].match(5)
    assert list(match.to_act) == [0, 1, 2]
    assert match.view(1)["phase"] == "bid"
    winner = match.view(None)["tricks"][-1]["winner"]
    for seat in (2, 0, 1):
        match.act(seat, f"bid {40 + seat}")
    assert match.view(1)["bids"] == [None, 41, None]
    assert list(match.to_act) == [winner]
    while not match.rounds:
        match.act(match.to_act[0], match.legal(match.to_act[0])[0])
    (finished,) = match.rounds
    assert finished["bids"] == [40, 41, 42]
    assert sum(finished["points"]) == 157


def test_molotov_endings_have_a_trump_and_constant_marks() -> None:
    game = ENDINGS["molotov"]
    marks = set()
    for number in range(90):
        match = begun(game, number)
        assert match.trump is None
        rng = Random(number)
        while not match.rounds:
            match.act(match.to_act[0], rng.choice(match.legal(match.to_act[0])))
        marks.add(tuple(match.rounds[0]["marks"]))
    assert len(marks) == 1
