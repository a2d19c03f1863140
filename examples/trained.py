"""A trained Molotov player: the inputs of its net, the net, and the bot around it.

    python -m examples.train                                        ten minutes; docs/training.md
    jasstisch arena molotov examples/trained.py:Trained --against greedy

During training the net sees thousands of rounds of a batch at once, at a table a single view. Both
have the same array names (docs/batch-environment.md), so `features` works with both.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

import jasstisch as jt
from jasstisch.bots import View
from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS
from jasstisch.engine.errors import GameError
from jasstisch.env import Observation, unpack_masks
from jasstisch.env.pettingzoo import ViewEncoder, env

GAME = jt.game("molotov")
PLAYERS, SUITS, RANKS, CARDS, TRICKS = 4, 4, 9, 36, 9

NET = Path(__file__).with_suffix(".npz")
"""The file of the net."""

Floats = NDArray[np.float32]
Seen = Mapping[str, NDArray[Any]]
"""The observations of the seats to act in n rounds; sets have a boolean for each card."""

SETS = ("hand", "legal", "played", "taken")
FEATURES = 10 * CARDS + 3 * SUITS + 3 * PLAYERS + 3

# What applies to every suit is learned once: the trump suit is moved to the first place.

SWAPS = np.array(
    [[{0: trump, trump: 0}.get(suit, suit) for suit in range(SUITS)] for trump in range(SUITS)]
)
"""For each trump suit, the permutation of the suits."""

RANKINGS = (tricks.PLAIN, 0)
"""The rankings after the permutation: without trump, and with it."""

WORTH = np.array(
    [[tricks.card_points(card, ranking) for card in range(CARDS)] for ranking in RANKINGS],
    dtype=np.float32,
)
BEATEN_BY = np.array(
    [
        [[tricks.beats(other, card, ranking) for card in range(CARDS)] for other in range(CARDS)]
        for ranking in RANKINGS
    ],
    dtype=np.float32,
)
"""Whether the first card takes the trick from the second, in each ranking."""


def of_batch(observation: Observation) -> Seen:
    """The observation of a batch, with sets as booleans."""
    return {**observation, **{name: unpack_masks(observation[name])[..., :CARDS] for name in SETS}}


def features(seen: Seen) -> Floats:
    """The inputs of the net (n, FEATURES); players in order of play, starting with the observer."""
    suit, trump = seen["trump"], seen["trump"] >= 0
    rows = np.arange(len(suit))[:, None]
    seats = (seen["seat"][:, None] + np.arange(PLAYERS)) % PLAYERS
    hand, legal = shown(seen["hand"], suit), shown(seen["legal"], suit)
    taken = shown(seen["taken"][rows, seats], suit)
    seen_by_all = np.any(seen["played"], axis=1, keepdims=True)
    unseen = ~(hand | shown(seen_by_all, suit)[:, 0])
    points = seen["points"][rows, seats]
    lying, laid = trick_cards(seen["trick"], suit)
    best, holder = current_winner(lying, laid, trump)
    takes = winning_cards(best, led_suit(lying, laid), trump)
    ranked = unseen.astype(np.float32)
    above = np.where(trump[:, None], ranked @ BEATEN_BY[1], ranked @ BEATEN_BY[0])
    pot = np.where(lying >= 0, WORTH[trump.astype(int)[:, None], lying], 0).sum(axis=1)
    places = np.arange(PLAYERS)
    return np.concatenate(
        [
            *(hand, legal, unseen, taken[:, 0], taken[:, 1:].any(axis=1)),
            one_hot(lying, CARDS).reshape(len(hand), -1),
            *(takes & hand, above * hand / 6),
            known_voids(seen)[:, 1:].reshape(len(hand), -1),
            *(laid[:, None] == places, holder[:, None] == places, points / 50),
            *(trump[:, None], pot[:, None] / 30, hand.sum(axis=1, keepdims=True) / TRICKS),
        ],
        axis=1,
        dtype=np.float32,
        casting="unsafe",
    )


def shown(cards: NDArray[Any], trump: NDArray[Any]) -> NDArray[Any]:
    """Permutes flags of cards so that the trump suit comes first."""
    result = cards.copy()
    for suit in range(1, SUITS):
        rows, place = np.flatnonzero(trump == suit), slice(RANKS * suit, RANKS * (suit + 1))
        result[rows, ..., :RANKS] = cards[rows, ..., place]
        result[rows, ..., place] = cards[rows, ..., :RANKS]
    return result


def swap_suits(cards: NDArray[Any], trump: NDArray[Any]) -> NDArray[Any]:
    """Permutes the suits of card numbers so that trump comes first, or back; -1 stays."""
    suits = SWAPS[np.maximum(trump, 0)[:, None], np.maximum(cards, 0) // RANKS]
    return np.where(cards >= 0, RANKS * suits + cards % RANKS, -1)


def trick_cards(trick: NDArray[Any], trump: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The cards of the three seats before the observer (n, 3), -1 if not played; their number."""
    laid = (trick >= 0).sum(axis=1)
    places = np.arange(PLAYERS - 1) - (PLAYERS - 1) + laid[:, None]
    cards = np.take_along_axis(trick, np.maximum(places, 0), axis=1)
    return swap_suits(np.where(places >= 0, cards, -1), trump), laid


def led_suit(lying: NDArray[Any], laid: NDArray[Any]) -> NDArray[Any]:
    """The suit led; -1 if the observer leads."""
    first = np.maximum(PLAYERS - 1 - laid, 0)
    led = lying[np.arange(len(lying)), np.minimum(first, PLAYERS - 2)]
    return np.where(laid > 0, led // RANKS, -1)


def current_winner(
    lying: NDArray[Any], laid: NDArray[Any], trump: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """The card that currently wins the trick, and its player; -1 and 0 if the observer leads."""
    rows, ranking = np.arange(len(lying)), trump.astype(int)
    first = np.minimum(PLAYERS - 1 - laid, PLAYERS - 2)
    best = np.where(laid > 0, lying[rows, first], -1)
    holder = np.where(laid > 0, first + 1, 0)
    for place in range(1, PLAYERS - 1):
        card = lying[:, place]
        better = (place > first) & (BEATEN_BY[ranking, card, best] > 0)
        best, holder = np.where(better, card, best), np.where(better, place + 1, holder)
    return best, holder


def winning_cards(best: NDArray[Any], led: NDArray[Any], trump: NDArray[Any]) -> NDArray[np.bool_]:
    """The cards that would currently win the trick; a first discard makes trump (MV3)."""
    takes = BEATEN_BY[trump.astype(int), :, best] > 0
    makes = ~trump[:, None] & (np.arange(CARDS) // RANKS != led[:, None])
    result: NDArray[np.bool_] = takes | makes | (best < 0)[:, None]
    return result


def one_hot(cards: NDArray[Any], count: int) -> NDArray[np.bool_]:
    """One-hot encoding of card numbers along an additional axis."""
    result: NDArray[np.bool_] = cards[..., None] == np.arange(count)
    return result


def known_voids(seen: Seen) -> NDArray[np.bool_]:
    """The known voids of each player, in order of play (n, 4, 4)."""
    trump, seats = seen["trump"] >= 0, seen["history"][..., 0]
    cards = swap_suits(seen["history"][..., 1], seen["trump"])
    suits, led = cards // RANKS, np.repeat(cards[:, ::PLAYERS], PLAYERS, axis=1) // RANKS
    away = (cards >= 0) & (suits != led)
    made = away & (np.cumsum(away, axis=1) == 1)
    rows, plays = np.nonzero(away & (made | ~(trump[:, None] & (suits == 0))))
    result = np.zeros((len(cards), PLAYERS, SUITS), dtype=np.bool_)
    who = (seats[rows, plays] - seen["seat"][rows]) % PLAYERS
    result[rows, who, led[rows, plays]] = True
    return result


class Net:
    """A neural net of fully connected layers with rectified linear units.

    Args:
        layers: the weights and the biases of each.
    """

    def __init__(self, layers: Sequence[tuple[Floats, Floats]]) -> None:
        self.layers = list(layers)

    @classmethod
    def new(cls, sizes: Sequence[int], rng: np.random.Generator) -> "Net":
        """An untrained net with layers of these sizes."""
        drawn = [
            rng.standard_normal((here, there), dtype=np.float32) * np.float32((2 / here) ** 0.5)
            for here, there in pairwise(sizes)
        ]
        drawn[-1] *= np.float32(0.01)  # all cards are about equally likely at first
        return cls([(weights, np.zeros(weights.shape[1], np.float32)) for weights in drawn])

    def forward(self, inputs: Floats) -> list[Floats]:
        """The outputs of each layer, preceded by the inputs."""
        answers = [inputs]
        for weights, biases in self.layers:
            if len(answers) > 1:
                np.maximum(answers[-1], 0, out=answers[-1])
            answers.append(answers[-1] @ weights + biases)
        return answers

    def __call__(self, inputs: Floats) -> Floats:
        """The output of the last layer."""
        return self.forward(inputs)[-1]

    def save(self, path: Path) -> None:
        """Writes the net to a file."""
        np.savez_compressed(path, *[one for layer in self.layers for one in layer])

    @classmethod
    def load(cls, path: Path) -> "Net":
        """Reads a net from a file."""
        with np.load(path) as file:
            arrays = [file[f"arr_{place}"] for place in range(len(file))]
        return cls(list(zip(arrays[::2], arrays[1::2], strict=True)))


class Trained:
    """A bot that plays the card that its net scores highest.

    Args:
        path: the file of the net.
    """

    name = "trained"
    games = ("molotov",)

    def __init__(self, path: Path = NET) -> None:
        if not path.exists():
            raise GameError(f"there is no net {path.name} yet: python -m examples.train")
        self.net = Net.load(path)
        self.encoder = ViewEncoder(GAME)
        self.parts = env("molotov").parts

    def act(self, view: View, legal: Sequence[str], rng: Random) -> str:
        """Plays the best card."""
        (card,) = best_cards(self.net, self.seen(view, legal))
        return f"play {JASS.texts[card]}"

    def seen(self, view: View, legal: Sequence[str]) -> Seen:
        """The observation that a batch would give for a single round."""
        told = self.encoder(dict(view), legal)
        numbers = told["observation"]
        seen = {part.name: numbers[part.array_slice].reshape(1, *part.shape) for part in self.parts}
        seen["legal"] = told["action_mask"][None, :CARDS]
        return {**seen, **{name: seen[name] > 0 for name in SETS}}


def best_cards(net: Net, seen: Seen) -> NDArray[np.int64]:
    """The legal card with the highest score in each round (n,)."""
    scores = np.where(shown(seen["legal"], seen["trump"]), net(features(seen)), -np.inf)
    best: NDArray[np.int64] = swap_suits(scores.argmax(axis=1)[:, None], seen["trump"])[:, 0]
    return best
