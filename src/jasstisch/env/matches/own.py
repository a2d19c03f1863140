"""What single games have in an observation besides, from the rules and from a view.

Names and meaning are those of a batch's observation (docs/batch-environment.md).
"""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeVar

from jasstisch import melds
from jasstisch.cards import JASS, card_set
from jasstisch.env.matches.parts import MOST, NONE, Piece, numbered
from jasstisch.games.coiffeur import Coiffeur
from jasstisch.games.contracts import CONTRACTS, Contracted
from jasstisch.games.differenzler import Differenzler
from jasstisch.games.jass import Jass
from jasstisch.games.rules import Json
from jasstisch.games.trick_taking import TrickTaking
from jasstisch.games.weis import WithWeis

__all__ = ["CARDS", "Own", "cards_of", "own_of"]

CARDS = len(JASS.texts)
ANSWERS = {None: NONE, "stay": 0, "drop": 1, "blind": 2}
CONTRACT_PLACES = {text: place for place, text in enumerate(CONTRACTS)}

Told = tuple[list[int], list[int]]
"""Numbers, and sets of cards."""


def cards_of(texts: Iterable[str] | None) -> int:
    """The set of cards written like this."""
    return card_set(JASS.numbers[text] for text in texts or ())


def card_of(text: str | None) -> int:
    """The card written like this, or `NONE`."""
    return NONE if text is None else JASS.numbers[text]


Its_contra = TypeVar("Its_contra", contravariant=True)
"""The rules of the game."""


class Own(Protocol[Its_contra]):
    """What a game has besides.

    Attributes:
        pieces: its numbers.
        sets: the names of its sets of cards.
    """

    pieces: tuple[Piece, ...]
    sets: tuple[str, ...]

    def of_rules(self, rules: Its_contra, seat: int, /, *, melding: bool) -> Told:
        """Its_contra numbers and sets, from the rules."""

    def of_view(self, view: Json, /, *, melding: bool) -> Told:
        """The same from the view of the seat."""


def own_of(rules: TrickTaking) -> Own[Any]:
    """What the game of these rules has besides."""
    if isinstance(rules, Differenzler):
        return Bids(rules)
    if isinstance(rules, Jass):
        return Answers(rules)
    return Announcements(rules) if isinstance(rules, Contracted) else Nothing()


class Nothing:
    """A game that has nothing besides."""

    pieces: tuple[Piece, ...] = ()
    sets: tuple[str, ...] = ()

    def of_rules(self, _rules: TrickTaking, _seat: int, *, melding: bool) -> Told:
        """Nothing."""
        return [], []

    def of_view(self, _view: Json, *, melding: bool) -> Told:
        """Nothing."""
        return [], []


class Bids:
    """The bids of Differenzler and the card that shows the trump (DF2, DF3)."""

    sets: tuple[str, ...] = ()

    def __init__(self, rules: Differenzler) -> None:
        seats = (rules.players,)
        self._open = rules.game.options["bids"] == "open"
        self.pieces: tuple[Piece, ...] = (
            ("bids", seats, (NONE, 157)),
            ("has_bid", seats, (0, 1)),
            ("shown", (), (NONE, CARDS - 1)),
        )

    def of_rules(self, rules: Differenzler, seat: int, *, melding: bool) -> Told:
        """The bids that this seat may see, who has bid, the card shown."""
        bids = rules.bids
        if self._open:
            visible = [numbered(bid) for bid in bids]
        else:
            visible = [NONE] * len(bids)
            visible[seat] = numbered(bids[seat])
        return [*visible, *(bid is not None for bid in bids), numbered(rules.shown)], []

    def of_view(self, view: Json, *, melding: bool) -> Told:
        """The same."""
        return [*map(numbered, view["bids"]), *view["has_bid"], card_of(view["shown"])], []


class Weis:
    """The Weis as far as they are known (JS7, SC3)."""

    def __init__(self, rules: WithWeis) -> None:
        self.players = rules.players
        self._nothing = [NONE] * (self.players + 1)
        # What was announced in a round, and what that comes to once it is shown: it stays so.
        self._announced: list[tuple[int, list[int]]] = []
        self._shown: Told = ([], [])
        self.weis: tuple[Piece, ...] = (
            ("announced", (self.players,), (NONE, MOST)),
            ("weis_seat", (), (NONE, self.players - 1)),
        )

    def weis_of_rules(self, rules: WithWeis, seat: int, *, melding: bool) -> Told:
        """The points of the best meld that each has announced; whose are shown, and their cards."""
        if not rules.announced and not melding:
            return self._nothing, [0]
        if rules.history and rules.announced is self._announced:
            return self._shown
        best, shown = [NONE] * self.players, rules.shown_weis()
        if melding:
            best[seat] = melds.weis_points(rules.announceable(seat)[0])
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

    def weis_of_view(self, view: Json, *, melding: bool) -> Told:
        """The same."""
        best, shown = [NONE] * self.players, view["weis_shown"]
        if melding:
            best[view["seat"]] = view["melds"][0]["points"]
        for one in view["announced"]:
            best[one["seat"]] = one["points"]
        if not shown:
            return [*best, NONE], [0]
        cards = cards_of(card for meld in shown["melds"] for card in meld["cards"])
        return [*best, shown["seat"]], [cards]


class Answers(Weis):
    """Who plays at Jass, the turned card and the blind, the Weis (JS3 - JS7)."""

    sets: tuple[str, ...] = ("weis_cards", "laid_away")

    def __init__(self, rules: Jass) -> None:
        super().__init__(rules)
        seats, cards = (NONE, self.players - 1), (NONE, CARDS - 1)
        self.pieces: tuple[Piece, ...] = (
            ("said", (self.players,), (NONE, 2)),
            ("playing", (self.players,), (0, 1)),
            ("shown", (), cards),
            ("turned", (), cards),
            ("blind_open", (), (0, 1)),
            ("blind_taker", (), seats),
            ("robber", (), seats),
            *self.weis,
        )

    def of_rules(self, rules: Jass, seat: int, *, melding: bool) -> Told:
        """The answers, who plays, what lies there, who took and robbed; the cards laid away."""
        numbers, sets = self.weis_of_rules(rules, seat, melding=melding)
        own = [
            *map(ANSWERS.__getitem__, rules.said),
            *map(rules.playing.__contains__, range(self.players)),
            rules.shown,
            rules.turned,
            rules.blind_open,
            rules.blind_taker,
            rules.robber,
        ]
        return own + numbers, [*sets, rules.laid_away[seat]]

    def of_view(self, view: Json, *, melding: bool) -> Told:
        """The same."""
        numbers, sets = self.weis_of_view(view, melding=melding)
        own = [
            *(ANSWERS[said] for said in view["said"]),
            *(other in view["playing"] for other in range(self.players)),
            card_of(view["shown"]),
            card_of(view["turned"]),
            view["blind_open"],
            numbered(view["blind"]),
            numbered(view["robbed"]),
        ]
        return own + numbers, [*sets, cards_of(view["laid_away"])]


class Announcements(Weis):
    """What was announced by whom, the lines played before, the Weis (CT2, CO1, SC3)."""

    sets: tuple[str, ...] = ("weis_cards",)

    def __init__(self, rules: Contracted) -> None:
        super().__init__(rules)
        self.lines = [line.text for line in rules.slate]
        self._unplayed = [0] * 2 * len(self.lines)
        self.line_of = {text: self.lines.index(line.text) for text, line in rules.line_of.items()}
        self.pieces: tuple[Piece, ...] = (
            ("contract", (), (NONE, len(CONTRACTS) - 1)),
            ("line", (), (NONE, len(self.lines) - 1)),
            ("factor", (), (NONE, MOST)),
            ("by", (), (NONE, self.players - 1)),
            ("pushes", (), (0, MOST)),
            ("ranking", (), (NONE, 5)),
            ("lines_played", (2, len(self.lines)), (0, 1)),
            *self.weis,
        )

    def of_rules(self, rules: Contracted, seat: int, *, melding: bool) -> Told:
        """Contract, line, factor, who announced it, the pushes, how cards rank now, the slate."""
        numbers, sets = self.weis_of_rules(rules, seat, melding=melding)
        own = [NONE, NONE, NONE]
        if rules.contract is not None and rules.line is not None:
            own = [CONTRACT_PLACES[rules.contract.text], self.line_of[rules.line], rules.factor()]
        own += [rules.by, rules.pushes, rules.ranking]
        if not isinstance(rules, Coiffeur):
            return own + self._unplayed + numbers, sets
        return own + [line in side for side in rules.played for line in self.lines] + numbers, sets

    def of_view(self, view: Json, *, melding: bool) -> Told:
        """The same."""
        numbers, sets = self.weis_of_view(view, melding=melding)
        contract = view["contract"]
        own = [NONE, NONE, NONE, NONE, view["pushes"], NONE]
        if contract is not None:
            line = self.line_of[view["line"] or contract]
            now = CONTRACTS[contract].rankings[len(view["tricks"])]
            place, factor = CONTRACT_PLACES[contract], view["factor"]
            own = [place, line, factor, view["by"], view["pushes"], now]
        played: Sequence[Any] = [one.get("lines", ()) for one in view["standing"][:2]]
        return own + [line in side for side in played for line in self.lines] + numbers, sets
