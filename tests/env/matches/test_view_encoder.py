"""A view encoder made for one game refuses the views of another."""

import random
import re

import pytest

import jasstisch as jt
from jasstisch.env.matches.encoded_match import EncodedMatch
from jasstisch.env.matches.encoding import encoding_for
from jasstisch.env.matches.view_encoder import ViewEncoder


def dealt(name: str, **options: object) -> jt.Match:
    """A match whose first seat is to act."""
    match = jt.Match(jt.game(name, dealer=0, **options))
    while match.needs_pack:
        match.deal(random.Random(1).sample(match.pack, len(match.pack)))
    return match


@pytest.mark.parametrize("match", [dealt("molotov", players=5), dealt("molotow")])
def test_encoder_refuses_views_of_another_game_or_player_count(match: jt.Match) -> None:
    seat = match.to_act[0]
    text = "this encoder is for molotov of 4 players, not for "
    with pytest.raises(jt.GameError, match=re.escape(text)):
        ViewEncoder(jt.game("molotov"))(match.view(seat), match.legal(seat))


def test_the_own_values_of_a_game_of_another_package_are_in_its_observations(steigern: str) -> None:
    """From the rules and from a view alike; an action is told by its number."""
    game = jt.game(steigern, dealer=3)
    kind = encoding_for(game)
    slices = {one.name: one.array_slice for one in kind.observation_encoder.parts}
    playing, chance, bids = EncodedMatch(kind), random.Random(1), set[tuple[int, int]]()
    while not playing.rules.rounds:
        if playing.rules.pack:
            playing.deal(chance.sample(list(playing.rules.pack), len(playing.rules.pack)))
            continue
        seat = playing.rules.to_act[0]
        observation, view = playing.observation(seat), playing.match().view(seat)
        from_view = ViewEncoder(game)(view, playing.match().legal(seat))["observation"]
        assert (observation == from_view).all()
        bids.add((int(observation[slices["bid"]][0]), int(observation[slices["bidder"]][0])))
        legal = [number for number, may in enumerate(playing.mask(seat)) if may]
        playing.step(seat, chance.choice(legal))
    assert len(bids) > 1


@pytest.mark.parametrize("name", ["molotov", "molotow", "offenbach"])
def test_games_of_this_package_have_the_parts_that_their_docs_list(name: str) -> None:
    rules = jt.game(name).rules(jt.game(name))
    names = [one.name for one in encoding_for(rules.game).observation_encoder.parts]
    assert names == [
        *("seat", "turn", "dealer", "trump", "leader", "round", "melding", "trick", "hand_sizes"),
        *("points", "standing", "hand", "played", "taken", "history"),
    ]
