"""The base classes of a game: `Game`, its immutable options, and `Rules`, the state of a match.

`Rules` is the state machine behind one match. It awaits either a shuffled pack or an action of one
or more seats, and it defines what each seat may see. A game is a subclass of `Rules` with a name.
Nothing here assumes tricks, trumps, four players or 36 cards.
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
from jasstisch.games.options import Choice, DealerOption, Option, Value, effective_options
from jasstisch.games.registry import Registry

Json = dict[str, Any]
"""A JSON object, such as a view, a round or a standing."""

REGISTRY: "Registry[type[Rules]]" = Registry()
"""The rules of each game, by its name."""

COMMON_OPTIONS: tuple[Option, ...] = (
    DealerOption(),
    Choice("direction", ("anticlockwise", "clockwise")),
)
"""The options of every game (C4, C5)."""


@dataclass(frozen=True, init=False)
class Game:
    """A game with its options, immutable.

    Args:
        name: one of `jasstisch.games()`.
        given: options that differ from their defaults.

    Attributes:
        name: the game's name.
        options: every option with its effective value, read-only.

    Raises:
        GameError: the game, an option or a value is unknown.
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
        # A second copy for fast look-up: the rules read options with every card.
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
        """The seats of each side; in most games every seat is its own side."""
        return self.rules.sides or tuple((seat,) for seat in range(self.players))

    @property
    def metric(self) -> ScoreMetric:
        """The metric of its rounds.

        Raises:
            GameError: its class names none.
        """
        if self.rules.metric is None:
            raise GameError(
                f"{self.name} has no metric by which rounds are compared: set `metric` in its "
                "class to a jasstisch.games.metrics.ScoreMetric"
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
    """The changes of an action in the views.

    Attributes:
        updated: the new values of those keys of a spectator's view that may have changed.
        appended: the elements appended to lists of a spectator's view under other keys.
        only_hand_changed: whether, of the private parts of the views, only the hand of the seat
            that acted has changed, and all readers see the same text of the action.
    """

    updated: Json
    appended: dict[str, list[Any]]
    only_hand_changed: bool


class Rules(ABC):
    """The state machine of one match: what it awaits, what is legal, what each seat may see.

    A subclass with a name, `class Molotov(Rules, name="molotov")`, is a game. It sets the
    attributes below in `receive_pack` and `act`; callers only read them.

    Attributes:
        phase: `"draw"` and `"deal"` await a pack for that purpose, `"over"` is the end of the
            match; a game adds its own phases.
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
    """The metric of a round; without one, rounds are neither compared nor analysed."""
    sides: ClassVar[tuple[tuple[int, ...], ...]] = ()
    """The seats of each side; empty where every seat plays alone."""
    view_type: ClassVar[type[Any] | None] = None
    """The `TypedDict` of its views (see `views`); without one views have no declared type."""
    revealing_keys: ClassVar[tuple[str, ...]] = ()
    """The game's own keys of a view that reveal hidden cards to all, such as a turned trump;
    `jasstisch.testing` treats what a spectator reads there as public."""

    def __init_subclass__(cls, name: str = "") -> None:
        super().__init_subclass__()
        views = {"table_view", "private_view"}
        last_to_say = next(one for one in cls.__mro__ if vars(one).keys() & views)
        if "private_view" not in vars(last_to_say):
            # The private part of a parent's view does not fit the `table_view` of this class.
            cls.private_view = Rules.private_view  # type: ignore[method-assign]
        if "action_delta" not in vars(cls):
            # A parent's delta leaves out the keys that this class may add to the view.
            cls.action_delta = Rules.action_delta  # type: ignore[method-assign]
        if "rest_is_decided" not in vars(cls):
            # Only the class itself can decide how its rules score the tricks that are left.
            cls.rest_is_decided = Rules.rest_is_decided  # type: ignore[method-assign]
        if "legal" in vars(cls) and "other_actions" not in vars(cls):
            # A parent's list leaves out the actions that this class may add.
            cls.other_actions = Rules.other_actions  # type: ignore[method-assign]
        if name:
            cls.check_declarations(name)
            cls.name = name
            REGISTRY[name] = cls

    @classmethod
    def check_declarations(cls, name: str) -> None:
        """Checks what a named game declares, so that an omission is not found in mid-match.

        Raises:
            GameError: a declaration is missing; the message shows one.
        """
        given = [option.name for option in getattr(cls, "options", ())]
        missing = {"players", *(option.name for option in COMMON_OPTIONS)} - {*given}
        if missing or given[0] != "players":
            raise GameError(
                f"the options of {quote(name)} begin with `players` and include those of every "
                'game: options = (Whole("players", 4, low=3, high=4), *COMMON_OPTIONS, ...)'
            )

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

    # What a game defines.

    @abstractmethod
    def deal(self, pack: Sequence[int]) -> None:
        """Deals a round from this shuffled pack."""

    @abstractmethod
    def legal(self, seat: int) -> Sequence[str]:
        """The texts of the actions open to a seat, in a fixed order."""

    @abstractmethod
    def act(self, seat: int, action: str) -> str:
        """Carries out an action and returns its canonical text; `IllegalAction` changes nothing."""

    @abstractmethod
    def refusal(self, seat: int, action: str) -> Refusal | None:
        """Why a seat may not do this now; None when it may."""

    def card_refusals(self, seat: int) -> dict[str, Refusal]:
        """The refusal of each card in hand that a seat may not play now; {} out of its turn."""
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
        """One object for each seat with its score in the match."""

    @abstractmethod
    def table_view(self, seat: int | None) -> Json:
        """The game-specific part of a view, for a seat or a spectator (None).

        Callers may keep and modify the result: it shares nothing with the match.
        """

    def private_view(self, seat: int) -> Json:
        """The part of `table_view` in which a seat's view differs from a spectator's.

        A game may override it together with `table_view`. Without an override the whole
        `table_view` is computed for every reader.
        """
        return self.table_view(seat)

    def action_delta(self, action: str) -> ViewDelta | None:
        """The changes of the last action in the views; None where anything may have changed.

        A game may override it; the override is not inherited. Without one all views are computed
        anew and compared with the previous ones.
        """
        return None

    def is_undoable(self, action: str) -> bool:
        """Whether the last action may be undone: only the play of a card to a trick may.

        A game in which the play of a card reveals hidden information overrides this, because such
        an action may not be undone.
        """
        verb, _, card = action.partition(" ")
        return verb == "play" and card in self.deck.numbers

    def sure_tricks(self, seat: int) -> Sequence[str]:
        """The actions by which a seat is sure to take all remaining tricks, one for each trick.

        () where the information of this seat does not make that certain, where the play of the
        others can change the result, and in a game without tricks.
        """
        return ()

    def rest_is_decided(self, seat: int) -> bool:
        """Whether the result is fixed once this seat, which leads, takes all remaining tricks.

        Points, marks, standing, winners and the number of tricks must be the same whatever the
        others play, and the seat must be able to conclude this from what it sees. No other way of
        playing may be better for the seat: where it could avoid points, it has a choice. A game may
        override this; the override is not inherited. Without one a seat cannot claim the rest.
        """
        return False

    def other_actions(self) -> Sequence[str] | None:
        """All actions besides the play of a card, with or without Weis, at any time of a match.

        Environments number them in this order. None where the game does not list them. A class
        that overrides `legal` does not inherit the list of its parent.
        """
        return None

    def redact_action(self, actor: int, action: str, reader: int | None) -> str:
        """The text of an action for a seat or a spectator (None), without what is secret."""
        return action

    @classmethod
    def score_weight(cls, _view: Mapping[str, Any], _action: str) -> int:
        """The multiplier of the round's metric after this action."""
        return 1

    # The same in every game.

    def copy(self) -> Self:
        """An independent copy of the match in its present state.

        Parts that never change again, such as finished rounds, are shared.
        """
        memo: Memo = {id(one): one for one in (self.game, *self.rounds, *self.frozen_parts())}
        made = memo[id(self)] = object.__new__(type(self))
        vars(made).update({name: fast_deepcopy(value, memo) for name, value in vars(self).items()})
        return made

    def frozen_parts(self) -> Iterable[object]:
        """Parts beside finished rounds that never change again, so that copies may share them.

        Overriding is optional; all parts that a game does not name are copied.
        """
        return ()

    def cards_of_pack(self) -> tuple[int, ...]:
        """The whole pack this match is played with, in order (C6)."""
        return tuple(range(len(self.deck.texts)))

    def current_trick(self) -> list[tuple[int, int]]:
        """The trick in progress: seat and card, in order of play; [] in a game without tricks."""
        return []

    def trick_in_progress(self) -> bool:
        """Whether a trick is incomplete or a claim is still being answered."""
        return bool(self.current_trick())

    def trump_letter(self) -> str | None:
        """The letter of the trump suit, None while there is none."""
        return None

    def receive_pack(self, pack: Sequence[int]) -> None:
        """Uses the awaited pack; the cards are those of `pack`, in shuffled order (C6)."""
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
        """Awaits a shuffled pack of these cards; until it is given no seat may act."""
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
        """Whether a seat is still in the match; in some games seats leave before its end."""
        return True

    @property
    def round_number(self) -> int:
        """The round in progress or about to begin, from 1; the last one once the match is over."""
        return len(self.rounds) + (self.phase != "over")

    def is_out_of_round(self, seat: int) -> bool:
        """Whether a seat has no more actions in the round in progress.

        A game in which players may drop out overrides this; in all others it is never the case.
        """
        return False

    def turn_refusal(self, seat: int) -> Refusal | None:
        """Why this seat may not act at all now; None when it may."""
        if seat in self.to_act:
            return None
        if self.phase == "over":
            return Refusal("C12", "over", "the match is over")
        if self.pack:
            return Refusal("C6", "pack", f"a shuffled pack of {len(self.pack)} cards is awaited")
        waiting = " or ".join(str(other) for other in self.to_act)
        return Refusal("C12", "turn", f"it is not seat {seat}'s turn but that of seat {waiting}")
