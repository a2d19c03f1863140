"""A view encoder made for one game refuses the views of another."""

import random
import re

import pytest

import jasstisch as jt
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
