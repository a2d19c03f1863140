"""The additional parts of observations in single games, from the rules and from a view.

Names and meaning are those of a batch's observation (docs/batch-environment.md).
"""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeVar, cast

from jasstisch.engine import melds
from jasstisch.engine.cards import JASS, card_set
from jasstisch.env.matches.observation_parts import MAX_VALUE, NONE, PartSpec, encode_optional
from jasstisch.games.coiffeur import Coiffeur
from jasstisch.games.contracts import CONTRACTS, ContractGame
from jasstisch.games.differenzler import Differenzler
from jasstisch.games.handjass import Handjass
from jasstisch.games.molotov import Molotov
from jasstisch.games.molotow import Molotow
from jasstisch.games.offenbach import Offenbach
from jasstisch.games.rules import Json
from jasstisch.games.schieber import Schieber
from jasstisch.games.trick_taking import TrickTaking
from jasstisch.games.weis import WeisGame

CARDS = len(JASS.texts)

WHOLE_ROUND_OBSERVED = (Coiffeur, Differenzler, Handjass, Molotov, Molotow, Offenbach, Schieber)
"""The games whose observation contains all that a seat has learnt in the round in progress."""

_ANSWER_NUMBERS = {None: NONE, "stay": 0, "drop": 1, "blind": 2}
_CONTRACT_NUMBERS = {text: place for place, text in enumerate(CONTRACTS)}

_FeatureValues = tuple[list[int], list[int]]
"""Numbers, and sets of cards."""


def card_mask(texts: Iterable[str] | None) -> int:
    """The set of the cards with these texts."""
    return card_set(JASS.numbers[text] for text in texts or ())


def _card_number(text: str | None) -> int:
    """The card with this text, or `NONE`."""
    return NONE if text is None else JASS.numbers[text]


_Rules_contra = TypeVar("_Rules_contra", contravariant=True)
"""The type of the rules of the game."""


class GameFeatures(Protocol[_Rules_contra]):
    """The additional features of a game.

    Attributes:
        numeric_parts: its additional numbers.
        card_set_names: the names of its sets of cards.
    """

    numeric_parts: tuple[PartSpec, ...]
    card_set_names: tuple[str, ...]

    def values_from_rules(
        self, rules: _Rules_contra, seat: int, /, *, announces_weis: bool
    ) -> _FeatureValues:
        """The additional numbers and sets, from the rules."""

    def values_from_view(self, view: Json, /, *, announces_weis: bool) -> _FeatureValues:
        """The same from the view of the seat."""


def features_for(rules: TrickTaking) -> GameFeatures[Any]:
    """The additional features of the game of these rules."""
    if isinstance(rules, Differenzler):
        return _BidFeatures(rules)
    if isinstance(rules, Handjass):
        return _HandjassFeatures(rules)
    return _ContractFeatures(rules) if isinstance(rules, ContractGame) else _OwnValues(rules)


class _OwnValues:
    """What the view of a game has besides those of all games of tricks, where it is a number.

    These are the numbers, flags and actions by their number, single or by seat. A game of another
    package has them without saying so.
    """

    card_set_names: tuple[str, ...] = ()

    def __init__(self, rules: TrickTaking) -> None:
        common = TrickTaking.table_view(rules, None).keys()
        self._players = rules.players
        shapes = {
            key: self._shape_of(value)
            for key, value in rules.table_view(None).items()
            if key not in common
        }
        self._keys = [key for key, shape in shapes.items() if shape is not None]
        self._actions = {text: place for place, text in enumerate(rules.other_actions() or ())}
        self.numeric_parts: tuple[PartSpec, ...] = tuple(
            (key, shape, (-MAX_VALUE, MAX_VALUE))
            for key, shape in shapes.items()
            if shape is not None
        )

    def _shape_of(self, value: object) -> tuple[int, ...] | None:
        """The shape of a value at the beginning of a match; None for one of another kind."""
        if value is None or isinstance(value, int | str):
            return ()
        if isinstance(value, list) and len(value) == self._players:
            scalar = all(one is None or isinstance(one, int | str) for one in value)
            return (self._players,) if scalar else None
        return None

    def values_from_rules(
        self, rules: TrickTaking, seat: int, *, announces_weis: bool
    ) -> _FeatureValues:
        """The values that this seat sees."""
        if not self._keys:
            return [], []
        return self.values_from_view(rules.table_view(seat), announces_weis=announces_weis)

    def values_from_view(self, view: Json, *, announces_weis: bool) -> _FeatureValues:
        """The same from a view."""
        numbers: list[int] = []
        for key, shape, _ in self.numeric_parts:
            values = cast("list[object]", view[key] if shape else [view[key]])
            numbers += [self._number(value) for value in values]
        return numbers, []

    def _number(self, value: object) -> int:
        """A number or a flag as it is, an action by its number; all else is `NONE`."""
        if isinstance(value, int):
            return max(-MAX_VALUE, min(int(value), MAX_VALUE))
        return self._actions.get(value, NONE) if isinstance(value, str) else NONE


class _BidFeatures:
    """The bids of Differenzler and the card that shows the trump (DF2, DF3)."""

    card_set_names: tuple[str, ...] = ()

    def __init__(self, rules: Differenzler) -> None:
        seats = (rules.players,)
        self._open = rules.game.options["bids"] == "open"
        self.numeric_parts: tuple[PartSpec, ...] = (
            ("bids", seats, (NONE, 157)),
            ("has_bid", seats, (0, 1)),
            ("shown", (), (NONE, CARDS - 1)),
        )

    def values_from_rules(
        self, rules: Differenzler, seat: int, *, announces_weis: bool
    ) -> _FeatureValues:
        """The bids visible to this seat, the seats that have bid, and the trump card."""
        bids = rules.bids
        if self._open:
            visible = [encode_optional(bid) for bid in bids]
        else:
            visible = [NONE] * len(bids)
            visible[seat] = encode_optional(bids[seat])
        return [*visible, *(bid is not None for bid in bids), encode_optional(rules.shown)], []

    def values_from_view(self, view: Json, *, announces_weis: bool) -> _FeatureValues:
        """The same from a view."""
        return [
            *map(encode_optional, view["bids"]),
            *view["has_bid"],
            _card_number(view["shown"]),
        ], []


class _WeisFeatures:
    """The Weis as far as they are public (JS7, SC3)."""

    def __init__(self, rules: WeisGame) -> None:
        self.players = rules.players
        self._empty = [NONE] * (self.players + 1)
        # The announcements of a round and their evaluation once they are shown; both are final.
        self._announced: list[tuple[int, list[int]]] = []
        self._shown: _FeatureValues = ([], [])
        self.weis: tuple[PartSpec, ...] = (
            ("announced", (self.players,), (NONE, MAX_VALUE)),
            ("weis_seat", (), (NONE, self.players - 1)),
        )

    def weis_from_rules(
        self, rules: WeisGame, seat: int, *, announces_weis: bool
    ) -> _FeatureValues:
        """The points of each seat's best announced meld; the seats that show, and their cards."""
        if not rules.announced and not announces_weis:
            return self._empty, [0]
        if rules.history and rules.announced is self._announced:
            return self._shown
        best, shown = [NONE] * self.players, rules.shown_weis()
        if announces_weis:
            best[seat] = melds.weis_points(rules.announceable_melds(seat)[0])
        for other, of in rules.announced:
            best[other] = melds.weis_points(of[0])
        cards = 0
        for _, of in shown:
            for meld in of:
                cards |= meld
        told = [*best, shown[0][0] if shown else NONE], [cards]
        if rules.history:
            self._announced, self._shown = rules.announced, told
        return told

    def weis_from_view(self, view: Json, *, announces_weis: bool) -> _FeatureValues:
        """The same from a view."""
        best, shown = [NONE] * self.players, view["weis_shown"]
        if announces_weis:
            best[view["seat"]] = view["melds"][0]["points"]
        for one in view["announced"]:
            best[one["seat"]] = one["points"]
        if not shown:
            return [*best, NONE], [0]
        cards = card_mask(card for meld in shown["melds"] for card in meld["cards"])
        return [*best, shown["seat"]], [cards]


class _HandjassFeatures(_WeisFeatures):
    """Seats in play at Jass, the turned card and the blind, the Weis (JS3 - JS7)."""

    card_set_names: tuple[str, ...] = ("weis_cards", "laid_away")

    def __init__(self, rules: Handjass) -> None:
        super().__init__(rules)
        seats, cards = (NONE, self.players - 1), (NONE, CARDS - 1)
        self.numeric_parts: tuple[PartSpec, ...] = (
            ("said", (self.players,), (NONE, 2)),
            ("playing", (self.players,), (0, 1)),
            ("shown", (), cards),
            ("turned", (), cards),
            ("blind_open", (), (0, 1)),
            ("blind_taker", (), seats),
            ("robber", (), seats),
            *self.weis,
        )

    def values_from_rules(
        self, rules: Handjass, seat: int, *, announces_weis: bool
    ) -> _FeatureValues:
        """The answers, seats in play, cards on the table, taker and robber; the cards laid away."""
        numbers, sets = self.weis_from_rules(rules, seat, announces_weis=announces_weis)
        own = [
            *map(_ANSWER_NUMBERS.__getitem__, rules.said),
            *map(rules.playing.__contains__, range(self.players)),
            rules.shown,
            rules.turned,
            rules.is_blind_available,
            rules.blind_taker,
            rules.robber,
        ]
        return own + numbers, [*sets, rules.laid_away[seat]]

    def values_from_view(self, view: Json, *, announces_weis: bool) -> _FeatureValues:
        """The same from a view."""
        numbers, sets = self.weis_from_view(view, announces_weis=announces_weis)
        own = [
            *(_ANSWER_NUMBERS[said] for said in view["said"]),
            *(other in view["playing"] for other in range(self.players)),
            _card_number(view["shown"]),
            _card_number(view["turned"]),
            view["blind_open"],
            encode_optional(view["blind"]),
            encode_optional(view["robbed"]),
        ]
        return own + numbers, [*sets, card_mask(view["laid_away"])]


class _ContractFeatures(_WeisFeatures):
    """Announcement and announcer, the lines played before, the Weis (CT2, CO1, SC3)."""

    card_set_names: tuple[str, ...] = ("weis_cards",)

    def __init__(self, rules: ContractGame) -> None:
        super().__init__(rules)
        self.lines = [line.text for line in rules.slate_lines]
        self._unplayed = [0] * 2 * len(self.lines)
        self.line_of = {
            text: self.lines.index(line.text) for text, line in rules.line_by_announcement.items()
        }
        self.numeric_parts: tuple[PartSpec, ...] = (
            ("contract", (), (NONE, len(CONTRACTS) - 1)),
            ("line", (), (NONE, len(self.lines) - 1)),
            ("factor", (), (NONE, MAX_VALUE)),
            ("by", (), (NONE, self.players - 1)),
            ("pushes", (), (0, MAX_VALUE)),
            ("ranking", (), (NONE, 5)),
            ("lines_played", (2, len(self.lines)), (0, 1)),
            *self.weis,
        )

    def values_from_rules(
        self, rules: ContractGame, seat: int, *, announces_weis: bool
    ) -> _FeatureValues:
        """Contract, line, factor, announcer, pushes, current ranking, slate."""
        numbers, sets = self.weis_from_rules(rules, seat, announces_weis=announces_weis)
        own = [NONE, NONE, NONE]
        if rules.contract is not None and rules.line is not None:
            own = [_CONTRACT_NUMBERS[rules.contract.text], self.line_of[rules.line], rules.factor()]
        own += [rules.by, rules.pushes, rules.ranking]
        if not isinstance(rules, Coiffeur):
            return own + self._unplayed + numbers, sets
        return own + [line in side for side in rules.played for line in self.lines] + numbers, sets

    def values_from_view(self, view: Json, *, announces_weis: bool) -> _FeatureValues:
        """The same from a view."""
        numbers, sets = self.weis_from_view(view, announces_weis=announces_weis)
        contract = view["contract"]
        own = [NONE, NONE, NONE, NONE, view["pushes"], NONE]
        if contract is not None:
            line = self.line_of[view["line"] or contract]
            now = CONTRACTS[contract].rankings[len(view["tricks"])]
            place, factor = _CONTRACT_NUMBERS[contract], view["factor"]
            own = [place, line, factor, view["by"], view["pushes"], now]
        played: Sequence[Any] = [one.get("lines", ()) for one in view["standing"][:2]]
        return own + [line in side for side in played for line in self.lines] + numbers, sets
