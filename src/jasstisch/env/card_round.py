"""A round of cards stepped one by one from Python: no views, no log, no match around it.

The rules are compiled. A state is a few dozen integers, so that search and playouts written in
Python spend their time on their own work. Bids, announcements and answers belong to a
`jasstisch.Match`; the cards of its round are played on from there.

>>> import jasstisch as jt
>>> from random import Random
>>> from jasstisch.env import CardRound
>>> chance, match = Random(1), jt.Match(jt.game("molotow", dealer=3))
>>> match.deal(chance.sample(match.pack, len(match.pack)))
>>> cards = CardRound(match)
>>> while cards.legal:
...     _ = cards.play(chance.choice(cards.legal_cards()))
>>> cards.seat is None, sum(cards.points()) >= 157
(True, True)
"""

from functools import cache
from typing import Self

from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS, SUITS, cards_in_set
from jasstisch.engine.errors import GameError, quote
from jasstisch.env.kernels.compiled_rules import (
    MATCH_BONUS,
    PLAYERS,
    CompiledRules,
    compile_rules,
)
from jasstisch.games.contracts import CONTRACTS, ContractView
from jasstisch.games.handjass import HandjassView
from jasstisch.games.rules import Json
from jasstisch.games.trick_taking import TrickTaking
from jasstisch.games.views import declares_keys
from jasstisch.match.match import Match
from jasstisch.search.jit.compiler import kernel
from jasstisch.search.rounds import contracts, round_state
from jasstisch.search.rounds.round_state import HANDS, TURN, Round

_RULE_WORDS = (round_state.UNDERTRUMP, round_state.BOMBS, round_state.EIGHTS_COUNT)
_CONTRACT_NUMBERS = {text: number for number, text in enumerate(CONTRACTS)}
_compiled_rules = cache(compile_rules)


@cache
def _suit_cards(suit: int, ranks: int) -> tuple[int, ...]:
    """The cards of a set of ranks of a suit."""
    return tuple(cards_in_set(ranks << tricks.RANKS * suit))


_CARDS_OF_SUIT = tuple(
    tuple(_suit_cards(suit, ranks) for ranks in range(1 << tricks.RANKS)) for suit in range(4)
)
_CLUBS, _DIAMONDS, _HEARTS, _SPADES = _CARDS_OF_SUIT


@kernel
def _play_card(state: Round, card: int) -> int:
    """Plays a card; returns the set of the cards that the next seat may play, 0 at the end."""
    round_state.play_card(state, card)
    return 0 if state[TURN] < 0 else round_state.legal_moves(state)


class CardRound:
    """The rest of a round of cards, of any game of tricks.

    Points are those of the cards taken, of the last trick, of molotovs and of a side that takes all
    tricks. Weis and Stöck are not counted, and a match that would be decided in mid-round goes on.

    Args:
        match: a match in which cards are being played. All hands are read, and it is not changed.

    Attributes:
        legal: the set of the cards that the next seat may play, 0 when the round is over. The bit
            of a card is its number, 9 · suit + rank.

    Raises:
        GameError: no cards are being played, or a batch does not support the game.
    """

    __slots__ = ("_rules", "_state", "legal")

    def __init__(self, match: Match) -> None:
        view = match.view(None)
        if view["phase"] != "play":
            raise GameError(
                f"cards are stepped while cards are played, not in phase {quote(view['phase'])}"
            )
        self._rules = _compiled_rules(match.game)
        self._state = _opening(match, view, self._rules)
        self.legal: int = round_state.legal_moves(self._state)
        for _, text in _plays(view):
            self.play(JASS.numbers[text])

    def play(self, card: int) -> int:
        """Plays a card of the seat whose turn it is.

        Args:
            card: its number.

        Returns:
            The new `legal`.

        Raises:
            GameError: the card may not be played; nothing has changed.
        """
        if card < 0 or not self.legal >> card & 1:
            raise GameError(self._refusal(card))
        self.legal = legal = _play_card(self._state, card)
        return legal

    def _refusal(self, card: int) -> str:
        if not self.legal:
            return "the round is over: no card is due"
        text = JASS.texts[card] if 0 <= card < len(JASS.texts) else "no card"
        allowed = ", ".join(f"{one} ({JASS.texts[one]})" for one in self.legal_cards())
        return f"{quote(card)} ({text}) may not be played; legal: {allowed}"

    def legal_cards(self) -> tuple[int, ...]:
        """The cards of `legal` by their numbers, ascending."""
        legal = self.legal
        return (
            _CLUBS[legal & 511]
            + _DIAMONDS[legal >> 9 & 511]
            + _HEARTS[legal >> 18 & 511]
            + _SPADES[legal >> 27]
        )

    @property
    def seat(self) -> int | None:
        """The seat whose turn it is; None when the round is over."""
        seat = int(self._state[TURN])
        return None if seat < 0 else seat

    def hand(self, seat: int) -> int:
        """The set of the cards that a seat holds."""
        return int(self._state[HANDS + seat])

    def points(self) -> list[int]:
        """The points of each seat so far, or of its side."""
        parameters, state = self._rules.parameters, self._state
        seats = range(int(parameters[PLAYERS]))
        if state[round_state.HAS_SIDES]:
            bonus = int(parameters[MATCH_BONUS])
            return [int(contracts.side_points(state, seat, bonus)) for seat in seats]
        return [int(round_state.points(state, seat)) for seat in seats]

    def copy(self) -> Self:
        """An independent copy."""
        made = object.__new__(type(self))
        made._rules, made._state, made.legal = self._rules, self._state.copy(), self.legal
        return made

    __copy__ = copy

    def __deepcopy__(self, _memo: object) -> Self:
        """The same as `copy`."""
        return self.copy()


def _opening(match: Match, view: Json, compiled: CompiledRules) -> Round:
    """The round before its first card."""
    order = _order_of_play(view)
    state = round_state.new_round(order)
    for word in _RULE_WORDS:
        state[word] = compiled.empty_state[word]
    rules = match.game.rules
    assert issubclass(rules, TrickTaking)
    if declares_keys(view, ContractView):
        name, by = view["contract"], view["by"]
        assert name is not None, "cards are being played"
        assert by is not None, "cards are being played"
        contracts.start_contract(state, _CONTRACT_NUMBERS[name], by, view["pushed"], order[0])
    elif not rules.discard_makes_trump:
        round_state.set_ranking(state, SUITS.index(view["trump"]))
    for seat in order:
        state[HANDS + seat] = sum(1 << JASS.numbers[text] for text in match.hand(seat))
    for seat, text in _plays(view):
        state[HANDS + seat] |= 1 << JASS.numbers[text]
    return state


def _order_of_play(view: Json) -> list[int]:
    """The seats of the round in order of play, the leader of the first trick first."""
    seats = view["playing"] if declares_keys(view, HandjassView) else range(len(view["players"]))
    if view["tricks"]:
        leader = view["tricks"][0]["leader"]
    else:
        leader = view["trick"][0][0] if view["trick"] else view["to_act"][0]
    first = list(seats).index(leader)
    return [*seats[first:], *seats[:first]]


def _plays(view: Json) -> list[tuple[int, str]]:
    """The cards played so far, each with its seat."""
    order = _order_of_play(view)
    plays: list[tuple[int, str]] = []
    for trick in view["tricks"]:
        first = order.index(trick["leader"])
        plays += zip(order[first:] + order[:first], trick["cards"], strict=True)
    return [*plays, *view["trick"]]
