"""What may be done at a table of a game of tricks, by numbers.

The numbers are those of a batch (`env.actions`); Differenzler has its bids besides. Whoever
announces Weis does so first and plays his card then, so that no number stands for both.
"""

from collections.abc import Sequence
from functools import cache, lru_cache

from jasstisch import tricks
from jasstisch.cards import JASS
from jasstisch.env.actions import BIDS, WEIS, actions_of
from jasstisch.errors import GameError, quote
from jasstisch.games.rules import Json
from jasstisch.games.scoring import BY_DIFFERENCE
from jasstisch.games.trick_taking import PLAYS, TrickTaking
from jasstisch.games.weis import WEIS as WITH_WEIS
from jasstisch.games.weis import WithWeis

__all__ = ["TrickMoves"]

CARDS = len(JASS.texts)
RANKS = tricks.RANKS

KNOWN = 1024
"""How many sets of legal actions are kept with their masks."""

FLAGS = tuple(bytes(ranks >> rank & 1 for rank in range(RANKS)) for ranks in range(1 << RANKS))
"""For each set of ranks a byte for each rank, 1 where it is in the set."""


@cache
def flags(numbers: int, count: int) -> bytes:
    """For a set of numbers a byte for each number below `count`."""
    return bytes(numbers >> number & 1 for number in range(count))


class TrickMoves:
    """The actions at a table of one game.

    Args:
        rules: of a game of tricks.

    Attributes:
        texts: every action there is by its number, as a match takes it; `weis` announces Weis with
            the card that follows.
        count: actions are numbers below this one.

    Raises:
        GameError: the game has too many announcements.
    """

    def __init__(self, rules: TrickTaking) -> None:
        self.texts = actions_of(rules) | dict(enumerate(PLAYS))
        self._weis = WEIS in self.texts
        if rules.scoring == BY_DIFFERENCE:
            self.texts |= BIDS
        self.texts = dict(sorted(self.texts.items()))
        self.count = max(self.texts) + 1
        self._numbers = {text: number for number, text in self.texts.items()}
        # What may be done beside a card before the first trick is complete, the match knows.
        self._more_than_cards = isinstance(rules, WithWeis)
        self._beyond = self.count - CARDS
        self._nothing = bytes(self.count)
        # What is legal beside cards is often the same, and then as many as 158 bids.
        self._known = lru_cache(maxsize=KNOWN)(self._mask_of)

    def mask(self, rules: TrickTaking, seat: int, begun: tuple[int, ...]) -> bytes:
        """A byte for each number, 1 where this seat may do it now."""
        if seat not in rules.to_act:
            return self._nothing
        if rules.phase != "play" or (self._more_than_cards and not rules.history and not begun):
            return self._known(tuple(rules.legal(seat)), bool(begun))
        return self._of_cards(rules.playable) + bytes(self._beyond)

    def mask_of(self, _view: Json, legal: Sequence[str], begun: tuple[int, ...]) -> bytes:
        """The same for the actions that a match calls legal."""
        return self._known(tuple(legal), bool(begun))

    def _mask_of(self, legal: tuple[str, ...], melding: bool) -> bytes:
        cards = beyond = 0
        for text in legal:
            number = WEIS if text.endswith(WITH_WEIS) else self._numbers[text]
            if number < CARDS:
                cards |= 1 << number
            elif not melding:
                beyond |= 1 << number - CARDS
        return self._of_cards(cards) + flags(beyond, self._beyond)

    def _of_cards(self, cards: int) -> bytes:
        return (
            FLAGS[cards & 511]
            + FLAGS[cards >> 9 & 511]
            + FLAGS[cards >> 18 & 511]
            + (FLAGS[cards >> 27])
        )

    def complete(self, number: int, begun: tuple[int, ...]) -> str | None:
        """What a match is told for a number; a card with Weis where these have been announced.

        None for Weis, which are announced with the card that follows.

        Raises:
            GameError: no action of this table has this number, or a card is due.
        """
        text = self.texts.get(number)
        if text is None:
            raise GameError(f"no action of this table is {quote(number)}: see its action mask")
        if begun:
            if number >= CARDS:
                raise GameError(
                    f"Weis are announced: a card is due, 0 to 35, not {number} ({text})"
                )
            return text + WITH_WEIS
        return None if self._weis and number == WEIS else text
