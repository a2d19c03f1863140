"""Game logs of jass-kit become records of the same round; whatever does not fit is refused."""

import json
import random
from contextlib import suppress
from copy import deepcopy
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jass.game.const import card_strings
from jass.game.game_sim import GameSim
from jass.game.rule_schieber import RuleSchieber

import jasstisch as jt
from jasstisch.engine.errors import GameError
from jasstisch.match import jass_kit

CONTRACTS = ["trump D", "trump H", "trump S", "trump C", "tops", "bottoms"]


def played_round(seed: int, cards: int = 36, *, pushes: bool = False) -> tuple[GameSim, Any]:
    """A random round of jass-kit, and the JSON of its log without a date."""
    rng = random.Random(seed)
    rule = RuleSchieber()
    sim = GameSim(rule)
    hands = np.zeros((4, 36), np.int32)
    for number, card in enumerate(rng.sample(range(36), 36)):
        hands[number % 4, card] = 1
    sim.init_from_cards(hands, dealer=rng.randrange(4))
    if pushes:
        sim.action_trump(10)
    sim.action_trump(rng.randrange(6))
    for _ in range(cards):
        legal = rule.get_valid_cards_from_obs(sim.get_observation())
        sim.action_play_card(rng.choice([card for card in range(36) if legal[card]]))
    return sim, {"game": sim.state.to_json(), "player_ids": [11, 12, 13, 14]}


@pytest.mark.parametrize("pushes", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_a_log_becomes_a_match_with_the_same_tricks_and_points(seed: int, pushes: bool) -> None:
    sim, entry = played_round(seed, pushes=pushes)
    entry["date"] = "30.08.18 21:08:00"
    match = jass_kit.match_of(json.loads(json.dumps(entry)))
    (finished,) = match.rounds
    assert finished["contract"] == CONTRACTS[sim.state.trump]
    assert finished["pushed"] == pushes
    assert finished["by"] == -sim.state.declared_trump % 4
    assert [
        [("DHSC".index(card[1]), card[0]) for card in trick["cards"]]
        for trick in finished["tricks"]
    ] == [
        [
            ("DHSC".index(name[0]), name[1:].replace("10", "T"))
            for name in (str(card_strings[card]) for card in trick)
        ]
        for trick in sim.state.tricks
    ]
    won = all(trick["winner"] % 2 == 0 for trick in finished["tricks"])
    assert finished["points"][0] == sim.state.points[0] + 100 * won
    assert match.players == ["player 11", "player 14", "player 13", "player 12"]
    assert match.about == {
        "source": "jass-kit",
        "unknown": jass_kit.UNKNOWN,
        "date": "2018-08-30T21:08:00",
    }
    again = jt.Match.from_record(json.loads(json.dumps(match.record())))
    assert again.rounds == match.rounds


@pytest.mark.parametrize("cards", [0, 1, 17, 35])
def test_a_round_that_was_not_played_to_its_end_is_taken_as_far_as_it_went(cards: int) -> None:
    _, entry = played_round(3, cards)
    match = jass_kit.match_of(entry["game"])
    assert sum(step[1].startswith("play ") for step in match.record()["log"]) == cards
    assert not match.rounds
    assert match.players == ["North", "West", "South", "East"]


def test_the_older_form_of_a_push_is_understood() -> None:
    game = played_round(5, pushes=True)[1]["game"]
    del game["version"], game["forehand"]
    game["tss"] = 1
    assert jass_kit.match_of(game).rounds[0]["pushed"]


def test_a_trick_led_out_of_turn_is_refused() -> None:
    _, entry = played_round(5)
    trick = entry["game"]["tricks"][0]
    trick["first"] = (trick["first"] + 1) % 4
    with pytest.raises(GameError, match="it is not this player's turn"):
        jass_kit.match_of(entry)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ((), [], "the entry is an object, not \\[\\]"),
        (("game",), 5, "game is an object, not 5"),
        (("game", "dealer"), 4, "dealer is a number from 0 to 3, not 4"),
        (("game", "dealer"), True, "dealer is a number from 0 to 3, not True"),
        (("game", "trump"), 6, "trump is a number from -1 to 5, not 6"),
        (("game", "tricks"), "none", "tricks is a list of at most 9 tricks, not 'none'"),
        (("game", "tricks", 2, "first"), None, "first is a number from 0 to 3, not None"),
        (("game", "tricks", 2, "win"), 9, "win is a number from 0 to 3, not 9"),
        (("game", "tricks", 2, "points"), 99, r"tricks\[2\] counts \d+ points, not 99"),
        (("game", "tricks", 2, "cards", 0), "Z7", r"cards of tricks\[2\]: 'Z7' is no card"),
        (("game", "tricks", 2, "cards", 0), ["D7"], "is no card; cards are written like D10"),
        (("game", "player"), [], r"player is a list of 4 hands, not \[\]"),
        (("game", "player", 1, "hand"), ["D7"], "a log of what one player saw does not hold"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(
    path: tuple[Any, ...], value: Any, message: str
) -> None:
    _, entry = played_round(1)
    changed: Any = {"": entry}
    inner = changed
    for key in ("", *path[:-1]) if path else ():
        inner = inner[key]
    inner[path[-1] if path else ""] = value
    with pytest.raises(GameError, match=message):
        jass_kit.match_of(changed[""])


def test_a_card_that_the_rules_forbid_is_refused_with_its_place() -> None:
    for seed in range(50):
        _, entry = played_round(seed)
        cards = entry["game"]["tricks"][0]["cards"]
        later = entry["game"]["tricks"][1]
        if (
            cards[0][0] == cards[1][0] != later["cards"][0][0]
            and later["first"] == (entry["game"]["tricks"][0]["first"] - 1) % 4
        ):
            cards[1], later["cards"][0] = later["cards"][0], cards[1]
            with pytest.raises(GameError, match=r"^card 2 of tricks\[0\]: 'play .* must be|won by"):
                jass_kit.match_of(entry)
            return
    raise AssertionError("no such round")


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_no_entry_raises_anything_else(data: st.DataObject) -> None:
    entry = deepcopy(ENTRY)
    junk = st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=4),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
        max_leaves=6,
    )
    inner: Any = entry
    while isinstance(inner, dict | list) and inner:
        keys = list(inner) if isinstance(inner, dict) else range(len(inner))
        key = data.draw(st.sampled_from(list(keys)))
        if data.draw(st.booleans()) or not isinstance(inner[key], dict | list):
            inner[key] = data.draw(junk)
            break
        inner = inner[key]
    with suppress(GameError):
        jass_kit.match_of(entry)


ENTRY = played_round(7, 30)[1]
