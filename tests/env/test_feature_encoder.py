"""Features: the same situation looks the same from every seat and in every trump suit."""

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import jasstisch as jt
from jasstisch import env
from jasstisch.engine.cards import JASS
from jasstisch.env.matches.encoded_match import EncodedMatch
from jasstisch.env.matches.encoding import encoding_for

GAMES = jt.games()
Encoded = tuple[int, NDArray[np.int32], bytes]
"""A decision: the seat, its observation and its mask."""


def decisions(
    game: jt.Game,
    count: int,
    pack: Callable[[list[int]], list[int]] = list,
    action: Callable[[int], int] = int,
    seed: int = 1,
) -> list[Encoded]:
    """The first decisions of a random match, and their observations.

    Args:
        game: the game.
        count: the number of decisions.
        pack: changes each shuffled pack.
        action: translates each action chosen.
        seed: of the shuffles and the choices.
    """
    rng = Random(seed)
    kind = encoding_for(game)
    playing, found = EncodedMatch(kind), list[Encoded]()
    while len(found) < count and playing.rules.phase != "over":
        if playing.rules.pack:
            shuffled = list(playing.rules.pack)
            rng.shuffle(shuffled)
            playing.deal(pack(shuffled))
            continue
        dealer = playing.rules.dealer or 0
        seat = min(playing.rules.to_act, key=lambda one: (one - dealer - 1) % game.players)
        found.append((seat, playing.observation(seat), playing.mask(seat)))
        # The choice depends on how many actions are legal and not on their numbers.
        legal = sorted(number for number, may in enumerate(playing.mask(seat)) if may)
        translated = sorted(legal, key=action)
        playing.step(seat, translated[rng.randrange(len(translated))])
    return found


@pytest.mark.parametrize("name", GAMES)
def test_all_features_are_small_numbers_that_the_parts_name(name: str) -> None:
    encode = env.features(jt.game(name))
    seen = np.array([one for _, one, _ in decisions(jt.game(name), 300)])
    features = encode(seen)
    assert features.shape == (len(seen), encode.size)
    assert features.dtype == np.float32
    assert np.isfinite(features).all()
    assert np.abs(features).max() <= 3
    slices = list(encode.parts.values())
    assert slices[0].start == 0
    assert [one.stop for one in slices] == [*[one.start for one in slices[1:]], encode.size]
    assert np.array_equal(encode(seen[7]), features[7])


@pytest.mark.parametrize("name", GAMES)
def test_a_situation_looks_the_same_from_every_seat(name: str) -> None:
    """The match in which every seat sits one further on has the same features."""
    dealt = [jt.game(name, dealer=dealer) for dealer in (0, 1)]
    players = dealt[0].players
    here, there = (decisions(game, 60) for game in dealt)
    encode = env.features(dealt[0])
    assert [(seat + 1) % players for seat, _, _ in here] == [seat for seat, _, _ in there]
    for (_, one, _), (_, other, _) in zip(here, there, strict=True):
        assert np.array_equal(encode(one), encode(other))


def swap_clubs(trump: int) -> Callable[[int], int]:
    """Exchanges a suit with the first one; what is not a card stays."""

    def swapped(number: int) -> int:
        suit, rank = divmod(number, 9)
        return 9 * {0: trump, trump: 0}.get(suit, suit) + rank if number < 36 else number

    return swapped


def _swapping(swap: Callable[[int], int]) -> Callable[[list[int]], list[int]]:
    return lambda pack: [swap(card) for card in pack]


@pytest.mark.parametrize("name", ["molotov", "differenzler", "molotow"])
def test_a_situation_looks_the_same_in_every_trump_suit(name: str) -> None:
    game = jt.game(name, dealer=0)
    encode = env.features(game)
    compared = 0
    for seed in range(6):
        here = decisions(game, 36, seed=seed)
        trumps = {int(part(game, "trump", one)) for _, one, _ in here} - {-1}
        for trump in trumps:
            swap = swap_clubs(trump)
            there = decisions(
                game,
                36,
                pack=_swapping(swap),
                action=swap,
                seed=seed,
            )
            for (_, one, mask), (_, other, changed) in zip(here, there, strict=True):
                if part(game, "trump", one) != trump:
                    continue
                assert part(game, "trump", other) == 0
                assert np.array_equal(encode(one), encode(other))
                assert np.array_equal(ordered(encode, one, mask), ordered(encode, other, changed))
                compared += 1
    assert compared > 20


def ordered(
    encode: env.FeatureEncoder, observation: NDArray[np.int32], mask: bytes
) -> NDArray[Any]:
    """A mask in the order of the outputs of a net."""
    order = encode.action_order(observation[None])
    return np.take_along_axis(np.frombuffer(mask, np.int8)[None], order, axis=1)


def part(game: jt.Game, name: str, observation: NDArray[np.int32]) -> Any:
    """A part of an observation that is one number."""
    (found,) = (one for one in encoding_for(game).observation_encoder.parts if one.name == name)
    return observation[found.array_slice][0]


def test_the_parts_say_what_the_observer_holds_and_who_lies_in_the_trick() -> None:
    game = jt.game("molotov", dealer=3)
    encode = env.features(game)
    seat, seen, mask = decisions(game, 3)[2]
    features = encode(seen)
    hand = [JASS.texts[card] for card in np.flatnonzero(features[encode.parts["hand"]])]
    assert set(hand) >= {JASS.texts[one] for one in np.flatnonzero(np.frombuffer(mask, np.int8))}
    trick = features[encode.parts["trick"]].reshape(4, 36)
    assert trick.sum(axis=1).tolist() == [0, 0, 1, 1]  # the two before the observer
    assert features[encode.parts["leader"]].tolist() == [0, 0, 1, 0]
    assert seat == 2


def test_a_batch_has_the_features_of_its_matches() -> None:
    game = jt.game("molotov")
    encode, batch = env.features(game), env.Batch(game, 4, seed=3)
    for _ in range(10):
        batch.step(batch.random_legal())
    seen = encode.observations(batch)
    features = encode.of_batch(batch)
    assert np.array_equal(features, encode(seen))
    order = encode.action_order(seen, batch.num_actions)
    masks = np.take_along_axis(batch.action_masks(), order, axis=1)
    held = features[:, encode.parts["hand"]] > 0
    assert not (masks[:, :36] & ~held).any()
    chosen = np.argmax(masks, axis=1)
    batch.step(order[np.arange(4), chosen])
    with pytest.raises(jt.GameError, match="features of molotov"):
        encode.of_batch(env.Batch(jt.game("molotow"), 1))


def test_observations_of_another_game_are_refused() -> None:
    encode = env.features(jt.game("molotov"))
    with pytest.raises(jt.GameError, match=r"an observation of this game has \d+ numbers"):
        encode(np.zeros((2, 5)))
