"""What a game is: its immutable choice of options, and its rules at work in one match.

`Game` is the value everybody hands around. `Rules` is the state machine behind one match: it awaits
either a shuffled pack or an action of one or more seats, and knows what each seat may see. A game
is a subclass of `Rules` with a name; nothing here assumes tricks, trumps, four players or 36 cards.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Self

from jasstisch.engine.cards import JASS, Deck
from jasstisch.engine.errors import GameError, Refusal, did_you_mean, quote
from jasstisch.games.dealing import draw_for_deal
from jasstisch.games.fast_deepcopy import Memo, fast_deepcopy
from jasstisch.games.metrics import ScoreMetric
from jasstisch.games.options import Choice, Dealer, Option, Value, effective_options
from jasstisch.games.registry import Registry

__all__ = ["COMMON_OPTIONS", "REGISTRY", "Game", "Json", "Rules", "ViewDelta"]

Json = dict[str, Any]
"""A JSON object, as views, rounds and standings are."""

REGISTRY: "Registry[type[Rules]]" = Registry()
"""The rules of each game, by its name."""

COMMON_OPTIONS: tuple[Option, ...] = (
    Dealer(),
    Choice("direction", ("anticlockwise", "clockwise")),
)
"""The options of every game (C4, C5)."""


@dataclass(frozen=True, init=False)
class Game:
    """The immutable rules of one game, with its options chosen.

    Args:
        name: one of `jasstisch.games()`.
        given: options that differ from their defaults.

    Attributes:
        name: the game's name.
        options: every option with its effective value, read-only.

    Raises:
        GameError: unknown game, option or value.
    """

    name: str
    _items: tuple[tuple[str, Value], ...]
    _values: dict[str, Value] = field(repr=False, compare=False)

    def __init__(self, name: str, given: Mapping[str, object]) -> None:
        if not isinstance(given, Mapping):
            raise GameError(f"options are given by name, not as {quote(given)}")
        if name not in REGISTRY:
            known = ", ".join(REGISTRY)
            near = did_you_mean(name, REGISTRY)
            raise GameError(f"unknown game {quote(name)}; the games are {known}{near}")
        values = effective_options(name, REGISTRY[name].options, given)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "_items", tuple(values.items()))
        # Once more as they are looked up, which rules do with every card.
        object.__setattr__(self, "_values", values)

    @property
    def options(self) -> Mapping[str, Value]:
        """Every option with its effective value."""
        return MappingProxyType(self._values)

    @property
    def players(self) -> int:
        """Number of players."""
        players = self._values["players"]
        assert isinstance(players, int)
        return players

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """Who plays with whom: the seats of each side; everybody alone in most games."""
        return self.rules.sides or tuple((seat,) for seat in range(self.players))

    @property
    def metric(self) -> ScoreMetric:
        """By what its rounds are measured.

        Raises:
            GameError: its class names none.
        """
        if self.rules.metric is None:
            raise GameError(
                f"{self.name} has no figure by which to measure a round: its class names none"
            )
        return self.rules.metric

    @property
    def rules(self) -> type["Rules"]:
        """The class whose instances run a match of this game."""
        return REGISTRY[self.name]

    def __repr__(self) -> str:
        chosen = ", ".join(f"{name}={value!r}" for name, value in self._items)
        return f"jasstisch.game({self.name!r}, {chosen})"


class ViewDelta(NamedTuple):
    """What an action has changed of what there is to see.

    Attributes:
        shown: the new values of those keys of a spectator's view that may have changed.
        added: what has been added to the lists of a spectator's view under other keys.
        hand_only: what a seat sees otherwise than a spectator is as it was, but for the hand of
            the seat that acted; and all of them are told the same of the action.
    """

    updated: Json
    appended: dict[str, list[Any]]
    hand_only: bool


class Rules(ABC):
    """One match as its rules see it: what is awaited, what is legal, what each seat may see.

    A subclass names itself, `class Molotov(Rules, name="molotov")`, and is then a game. It sets the
    attributes below in `take_pack` and `act`; whoever drives it reads them and never writes.

    Attributes:
        phase: `"draw"` and `"deal"` await those packs; a game adds its own; `"over"` ends it.
        pack: the cards that the awaited pack must hold, () when none is awaited.
        to_act: seats that may act, ascending.
        rounds: the finished rounds, public.
        dealer: seat of the dealer, None before the draw for deal.
        draw: the draw for deal as (seat, card), None before it or when no draw is made.
        winners: seats that won the match, empty before its end.
    """

    name: ClassVar[str]
    options: ClassVar[tuple[Option, ...]]
    deck: ClassVar[Deck] = JASS
    metric: ClassVar[ScoreMetric | None] = None
    """By what rounds are measured; where it is missing nobody compares or analyses them."""
    sides: ClassVar[tuple[tuple[int, ...], ...]] = ()
    """The seats of each side; empty where everybody plays alone."""
    view_type: ClassVar[type[Any] | None] = None
    """The `TypedDict` of its views (see `views`); without one they are shown as they are."""
    reveals: ClassVar[tuple[str, ...]] = ()
    """The game's own keys of a view by which hidden cards come to light for all, such as a turned
    trump; `jasstisch.testing` takes what a spectator reads there as known to everybody."""

    def __init_subclass__(cls, name: str = "") -> None:
        super().__init_subclass__()
        views = {"table_view", "private_view"}
        last_to_say = next(one for one in cls.__mro__ if vars(one).keys() & views)
        if "private_view" not in vars(last_to_say):
            # What a class before it says of its own table says nothing of this one.
            cls.private_view = Rules.private_view  # type: ignore[method-assign]
        if "action_delta" not in vars(cls):
            # Whatever a class shows besides, the one before it knows nothing of.
            cls.action_delta = Rules.action_delta  # type: ignore[method-assign]
        if "rest_is_decided" not in vars(cls):
            # What its own rules make of the tricks that are left, only a class itself can know.
            cls.rest_is_decided = Rules.rest_is_decided  # type: ignore[method-assign]
        if name:
            cls.name = name
            REGISTRY[name] = cls

    def __init__(self, game: Game) -> None:
        self.game = game
        self.players = game.players
        self.rounds: list[Json] = []
        self.winners: list[int] = []
        self.draw: list[tuple[int, int]] | None = None
        self.to_act: tuple[int, ...] = ()
        self.whole_pack = self.cards_of_pack()
        self.pack = self.whole_pack
        dealer = game.options["dealer"]
        assert not isinstance(dealer, str)
        self.dealer = dealer
        self.phase = "draw" if dealer is None else "deal"

    # What a game answers.

    @abstractmethod
    def deal(self, pack: Sequence[int]) -> None:
        """Begins a round with this shuffled pack."""

    @abstractmethod
    def legal(self, seat: int) -> Sequence[str]:
        """The texts of the actions open to a seat, in a fixed order."""

    @abstractmethod
    def act(self, seat: int, action: str) -> str:
        """Does an action and returns its printed form; `IllegalAction` changes nothing."""

    @abstractmethod
    def refusal(self, seat: int, action: str) -> Refusal | None:
        """Why a seat may not do this now; None when it may."""

    def card_refusals(self, seat: int) -> dict[str, Refusal]:
        """Why each card in hand that a seat may not play now may not; {} where it plays none."""
        legal = self.legal(seat)
        if not any(action.startswith("play ") for action in legal):
            return {}
        plays = {card: f"play {card}" for card in self.deck.texts_of(self.hand(seat))}
        tried = {
            card: self.refusal(seat, play) for card, play in plays.items() if play not in legal
        }
        return {card: refusal for card, refusal in tried.items() if refusal is not None}

    @abstractmethod
    def hand(self, seat: int) -> int:
        """The set of cards a seat holds."""

    @abstractmethod
    def standing(self) -> list[Json]:
        """One object for each seat with what it has gathered in the match."""

    @abstractmethod
    def table_view(self, seat: int | None) -> Json:
        """The part of a view that is the game's own, for a seat or a spectator.

        Whoever asks may keep it, and write into it: nothing in it belongs to the match.
        """

    def private_view(self, seat: int) -> Json:
        """What of `table` a seat does not see as a spectator does.

        A game need not say it, by a method beside its `table`: then all of the table is worked out
        for every reader.
        """
        return self.table_view(seat)

    def action_delta(self, action: str) -> ViewDelta | None:
        """What the action just done has changed of the views; None where it may be anything.

        A game need not say it, and says it for itself alone: it is not inherited. Without it all
        views are worked out anew and compared with those before.
        """
        return None

    def is_undoable(self, action: str) -> bool:
        """Whether the action just done may be taken back: a card played to a trick, and no more.

        A game in which something hidden comes to light by a card says when it does: that stands.
        """
        verb, _, card = action.partition(" ")
        return verb == "play" and card in self.deck.numbers

    def sure_tricks(self, seat: int) -> Sequence[str]:
        """The actions by which a seat takes all tricks that are left, one for each of them.

        () where that is not sure by what this seat sees alone, where all that the others can do to
        it does not come to the same result, and in a game without tricks.
        """
        return ()

    def rest_is_decided(self, seat: int) -> bool:
        """Whether all comes to the same once this seat, which leads, takes all tricks left.

        Points, marks, standing, winners and the tricks a round has must be the same whatever the
        others play to them, and the seat must know so by what it sees. Nor may it have another way
        that could be better for it: where it could keep points away, it has a choice. A game need
        not say it, and says it for itself alone: it is not inherited. Without it none is offered.
        """
        return False

    def redact_action(self, actor: int, action: str, reader: int | None) -> str:
        """An action just done as a seat or a spectator hears of it; in full unless it is secret."""
        return action

    @classmethod
    def score_weight(cls, _view: Mapping[str, Any], _action: str) -> int:
        """By what the figure of the round is multiplied once a seat has done this."""
        return 1

    # What is the same in every game.

    def copy(self) -> Self:
        """The match as it stands, once more: each goes on by itself.

        What nobody changes any more, such as finished rounds, belongs to both.
        """
        memo: Memo = {id(one): one for one in (self.game, *self.rounds, *self.frozen_parts())}
        made = memo[id(self)] = object.__new__(type(self))
        vars(made).update({name: fast_deepcopy(value, memo) for name, value in vars(self).items()})
        return made

    def frozen_parts(self) -> Iterable[object]:
        """What nobody changes any more beside finished rounds: a copy need not copy it.

        A game need not say it; whatever it does not name is copied.
        """
        return ()

    def cards_of_pack(self) -> tuple[int, ...]:
        """The whole pack this match is played with, in order (C6)."""
        return tuple(range(len(self.deck.texts)))

    def current_trick(self) -> list[tuple[int, int]]:
        """The trick in progress: seat and card, in order of play; [] in a game without tricks."""
        return []

    def trick_in_progress(self) -> bool:
        """Whether cards lie on the table that nobody has taken yet, or that are still answered."""
        return bool(self.current_trick())

    def trump_letter(self) -> str | None:
        """The letter of the trump suit, None while there is none."""
        return None

    def receive_pack(self, pack: Sequence[int]) -> None:
        """Opens the awaited pack; the cards are those of `pack`, in shuffled order (C6)."""
        if self.phase == "draw":
            self.draw = [(seat, pack[seat]) for seat in range(self.players)]
            self.dealer = draw_for_deal(self.deck, pack[: self.players])
            self.phase = "deal"
        else:
            self.deal(pack)

    def next_deal(self) -> None:
        """Passes the deal to the next seat in the match and awaits its pack (C5, JS3)."""
        assert self.dealer is not None
        self.dealer = self.order_from((self.dealer + 1) % self.players)[0]
        self.await_pack("deal", self.whole_pack)

    def await_pack(self, phase: str, pack: tuple[int, ...]) -> None:
        """Nobody acts until a shuffled pack of these cards is given."""
        self.phase = phase
        self.pack = pack
        self.to_act = ()

    def finish(self, winners: list[int]) -> None:
        """Ends the match."""
        self.phase = "over"
        self.pack = self.to_act = ()
        self.winners = winners

    def order_from(self, seat: int) -> list[int]:
        """The seats in the match in order of play, beginning with this one or the next (C4)."""
        order = [(seat + step) % self.players for step in range(self.players)]
        return [other for other in order if self.is_in_match(other)]

    def is_in_match(self, seat: int) -> bool:
        """Whether a seat is still in the match; a game may let some leave before its end."""
        return True

    @property
    def round_number(self) -> int:
        """The round in progress or about to begin, from 1; the last one once the match is over."""
        return len(self.rounds) + (self.phase != "over")

    def is_out_of_round(self, seat: int) -> bool:
        """Whether a seat has nothing to do any more in the round in progress, whatever comes.

        A game in which one may drop out says when; in the others nobody ever only watches.
        """
        return False

    def turn_refusal(self, seat: int) -> Refusal | None:
        """Why this seat may do nothing at all now; None when it may act."""
        if seat in self.to_act:
            return None
        if self.phase == "over":
            return Refusal("C12", "over", "the match is over")
        if self.pack:
            return Refusal("C6", "pack", f"a shuffled pack of {len(self.pack)} cards is awaited")
        waiting = " or ".join(str(other) for other in self.to_act)
        return Refusal("C12", "turn", f"it is not seat {seat}'s turn but that of seat {waiting}")
