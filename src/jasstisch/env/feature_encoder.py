"""Observations as inputs of a neural net: relative seats, trump first, one-hot, scaled.

A net learns faster from inputs in which the same situation looks the same. So each by-seat part
begins with the observer and goes on in the order of play; the trump suit, where there is one, comes
first among the suits; seats, cards and choices are one-hot; all numbers are near 0 to 1. The
features are a function of the observation alone, so that they also serve a policy at a table.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jasstisch.engine import tricks
from jasstisch.engine.errors import GameError
from jasstisch.env.batch import Batch
from jasstisch.env.flat_observation import FlatObservationEncoder
from jasstisch.env.matches.encoding import encoding_for
from jasstisch.env.matches.observation_parts import MAX_VALUE, NONE, Part
from jasstisch.games.rules import Game

Floats = NDArray[np.float32]
_Numbers = NDArray[np.int32]
_Encode = Callable[[_Numbers, "_Point"], NDArray[np.generic]]

_SUITS = 4
_SWAPS = np.array(
    [[{0: trump, trump: 0}.get(suit, suit) for suit in range(_SUITS)] for trump in range(_SUITS)]
)
"""For each trump suit, the suit at each place: it has changed places with the first."""

_SEATS = {"dealer", "leader", "blind_taker", "robber", "weis_seat", "by", "claimer"}
"""The parts that are a seat."""

_CARDS = {"shown", "turned"}
"""The parts that are a card."""

_CHOICES = {"said", "contract", "line", "ranking", "claimed"}
"""The parts that are one of several things, each by its number."""

_BY_SUIT = {"contract", "ranking"}
"""Choices whose first four are a trump suit: which one is told by the order of the suits."""

_LEFT_OUT = {
    "seat",  # it is always the first
    "trump",  # there is a flag for it, and its suit is the first
    "trick",  # it is told by seat
    "history",  # a net of fixed size sees the cards played and taken by each seat instead
}

_SCALES = {
    "points": 157,
    "standing": 1000,
    "announced": 100,
    "factor": 10,
    "pushes": 3,
    "round": 12,
}
"""What counts as 1 in parts without a maximum."""


class _Point:
    """The points of view of observations.

    Attributes:
        seats: the absolute seat of each relative one (n, players).
        cards: the card at each place, trump first (n, cards); None where cards have no trump.
    """

    def __init__(self, seat: _Numbers, players: int, trump: _Numbers | None) -> None:
        self.seat = seat
        self.seats = (seat[:, None] + np.arange(players)) % players
        if trump is None:
            self.cards = None
            return
        suits = _SWAPS[np.maximum(trump, 0)]
        # A swap is its own inverse, so that this is also the place of each card.
        self.cards = (suits[:, :, None] * tricks.RANKS + np.arange(tricks.RANKS)).reshape(
            len(seat), -1
        )


class FeatureEncoder:
    """The inputs of a net for one game.

    Args:
        game: the game.

    Attributes:
        parts: the slice of each part of the features, by name.
        size: the number of features.
        num_actions: the number of actions, see `action_order`.

    Raises:
        GameError: the game has no encoding.
    """

    parts: Mapping[str, slice]

    def __init__(self, game: Game) -> None:
        kind = encoding_for(game)
        self.game = game
        self.num_actions = kind.action_encoder.count
        self._given = {part.name: part for part in kind.observation_encoder.parts}
        self._width = kind.observation_encoder.size
        self._deck = len(game.rules.deck.texts)
        self._has_trump = "trump" in self._given
        self._encoders = self._choose_encoders()
        widths = {
            name: int(np.prod(encode(self._sample(), self._point(self._sample())).shape))
            for name, encode in self._encoders.items()
        }
        ends = np.cumsum(list(widths.values()))
        self.size = int(ends[-1])
        self.parts = MappingProxyType(
            {
                name: slice(int(end) - width, int(end))
                for (name, width), end in zip(widths.items(), ends, strict=True)
            }
        )
        self._flat: FlatObservationEncoder | None = None

    def __call__(self, observations: ArrayLike) -> Floats:
        """The features of observations.

        Args:
            observations: flat observations of this game, as PettingZoo, OpenSpiel and Gymnasium
                give them (n, …), or one of them.

        Returns:
            The features (n, size), or (size,) for one observation.

        Raises:
            GameError: the observations are not those of this game.
        """
        given = np.asarray(observations)
        rows = self._checked(given)
        point = self._point(rows)
        result = np.empty((len(rows), self.size), dtype=np.float32)
        for name, encode in self._encoders.items():
            result[:, self.parts[name]] = encode(rows, point).reshape(len(rows), -1)
        return result if given.ndim > 1 else result[0]

    def of_batch(self, batch: Batch, seats: ArrayLike | None = None) -> Floats:
        """The features of one seat in each round of a batch (n, size).

        Args:
            batch: a batch of the same game.
            seats: the observing seat in each round (n,), or one for all; the seat to act if
                omitted.

        Raises:
            GameError: it is a batch of another game.
        """
        return self(self.observations(batch, seats))

    def observations(self, batch: Batch, seats: ArrayLike | None = None) -> _Numbers:
        """The flat observations of one seat in each round of a batch (n, …).

        Raises:
            GameError: it is a batch of another game.
        """
        if batch.game != self.game:
            raise GameError(f"these are features of {self.game.name}, not of this batch")
        if self._flat is None:
            self._flat = FlatObservationEncoder(self.game)
        own = np.maximum(batch.turn, 0) if seats is None else np.asarray(seats)
        return self._flat(batch, np.broadcast_to(own, (batch.num_envs,)).astype(np.int64))

    def action_order(
        self, observations: ArrayLike, num_actions: int | None = None
    ) -> NDArray[np.int64]:
        """The number of the action at each output of a net, for observations (n, num_actions).

        Outputs for cards are in the order of the features, trump first; all others stay.
        `np.take_along_axis(masks, order, axis=1)` are the masks of the outputs.

        Args:
            observations: flat observations of this game (n, …).
            num_actions: the number of actions, if it is not that of matches, as in a batch.

        Raises:
            GameError: the observations are not those of this game.
        """
        rows = self._checked(np.asarray(observations))
        order = np.tile(np.arange(num_actions or self.num_actions), (len(rows), 1))
        cards = self._point(rows).cards
        if cards is not None:
            order[:, : self._deck] = cards
        return order

    def _checked(self, given: NDArray[np.generic]) -> _Numbers:
        if given.ndim not in (1, 2) or given.shape[-1] != self._width:
            raise GameError(
                f"an observation of this game has {self._width} numbers, not the shape "
                f"{given.shape}"
            )
        return np.atleast_2d(given).astype(np.int32, copy=False)

    # One encoder for each part.

    def _choose_encoders(self) -> dict[str, _Encode]:
        encoders: dict[str, _Encode] = {}
        if self._has_trump:
            encoders["has_trump"] = lambda rows, _: self._read(rows, "trump") != NONE
            encoders["trick"] = self._trick_by_seat
        for name, part in self._given.items():
            if name not in _LEFT_OUT:
                encoders[name] = self._encoder_of(part)
        return encoders

    def _encoder_of(self, part: Part) -> _Encode:
        if part.name == "turn":
            return self._turn
        if part.name == "standing":
            return self._standing_encoder(part)
        if part.name in _SEATS:
            return lambda rows, point: self._read(rows, part.name)[:, None] == point.seats
        if part.name in _CARDS:
            return lambda rows, point: self._one_card(self._read(rows, part.name), point)
        if part.shape[-1:] == (self._deck,) and (part.low, part.high) == (0, 1):
            return lambda rows, point: self._cards(self._by_seat(rows, part, point), point)
        if part.name in _CHOICES:
            return lambda rows, point: self._one_hot(self._by_seat(rows, part, point), part)
        return lambda rows, point: self._scaled(self._by_seat(rows, part, point), part)

    def _turn(self, rows: _Numbers, point: "_Point") -> NDArray[np.generic]:
        """The seat to act; nobody while all bid at once, where the number means nothing."""
        turn = self._read(rows, "turn")[:, None] == point.seats
        if "has_bid" in self._given:
            turn &= self._read(rows, "has_bid").all(axis=1, keepdims=True)
        found: NDArray[np.generic] = turn
        return found

    def _standing_encoder(self, part: Part) -> _Encode:
        """The standing without the number of the side, which is another one from every seat."""
        standing = self.game.rules(self.game).standing()[0]
        names = [name for name, value in standing.items() if isinstance(value, int)]
        columns = [place for place, name in enumerate(names) if name != "side"]
        return lambda rows, point: self._scaled(
            self._by_seat(rows, part, point)[..., columns], part
        )

    def _read(self, rows: _Numbers, name: str) -> _Numbers:
        part = self._given[name]
        return rows[:, part.array_slice].reshape(len(rows), *part.shape)

    def _by_seat(self, rows: _Numbers, part: Part, point: "_Point") -> _Numbers:
        """A part, with its seats or sides in the order of play from the observer on."""
        values = self._read(rows, part.name)
        if not part.shape or part.shape == (self._deck,):
            return values
        if part.shape[0] == self.game.players:
            order = point.seats
        elif part.shape[0] == len(self.game.sides):
            order = (point.seat[:, None] + np.arange(part.shape[0])) % part.shape[0]
        else:
            return values
        return np.take_along_axis(values, order.reshape(*order.shape, *(1,) * (values.ndim - 2)), 1)

    def _cards(self, flags: _Numbers, point: "_Point") -> _Numbers:
        """Flags of cards (n, …, cards), trump first."""
        if point.cards is None:
            return flags
        order = point.cards.reshape(len(flags), *(1,) * (flags.ndim - 2), -1)
        return np.take_along_axis(flags, order, axis=-1)

    def _one_card(self, cards: _Numbers, point: "_Point") -> NDArray[np.generic]:
        places = np.arange(self._deck) if point.cards is None else point.cards
        found: NDArray[np.generic] = cards[:, None] == places
        return found

    def _one_hot(self, values: _Numbers, part: Part) -> NDArray[np.generic]:
        choices = np.arange(part.high + 1)
        if part.name in _BY_SUIT:
            values = np.where((values >= 0) & (values < _SUITS), 0, values)
            choices = np.array([0, *choices[_SUITS:]])
        found: NDArray[np.generic] = values[..., None] == choices
        return found

    def _trick_by_seat(self, rows: _Numbers, point: "_Point") -> NDArray[np.generic]:
        """The card of each seat in the trick: what it has played and nobody has taken."""
        taken = self._read(rows, "taken").any(axis=1, keepdims=True)
        lying = self._by_seat(rows, self._given["played"], point) * ~taken
        return self._cards(lying, point)

    def _scaled(self, values: _Numbers, part: Part) -> Floats:
        """Numbers near 0 to 1, with flags for those that are known where some may not be."""
        scale = _SCALES.get(part.name, 100) if part.high == MAX_VALUE else max(part.high, 1)
        known = values != NONE if part.low == NONE else np.ones_like(values, dtype=np.bool_)
        scaled = np.where(known, values / scale, 0).astype(np.float32).reshape(len(values), -1)
        if part.low != NONE:
            return scaled
        return np.concatenate([scaled, known.reshape(len(values), -1)], axis=1, dtype=np.float32)

    def _point(self, rows: _Numbers) -> "_Point":
        trump = self._read(rows, "trump") if self._has_trump else None
        return _Point(self._read(rows, "seat"), self.game.players, trump)

    def _sample(self) -> _Numbers:
        return np.zeros((1, self._width), dtype=np.int32)


def features(game: Game) -> FeatureEncoder:
    """The inputs of a net for this game, from its observations.

    >>> import jasstisch as jt
    >>> from jasstisch import env
    >>> encode = env.features(jt.game("molotov"))
    >>> batch = env.Batch(jt.game("molotov"), 1000)
    >>> encode.of_batch(batch).shape == (1000, encode.size)
    True

    Raises:
        GameError: the game has no encoding.
    """
    return FeatureEncoder(game)
