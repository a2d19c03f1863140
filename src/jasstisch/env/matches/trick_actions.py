"""The encoding of actions in games of tricks.

The numbers are those of a batch (`env.actions`), plus the bids of Differenzler. The other actions
of a game of another package are numbered after these, as `other_actions` of its class lists them. A
Weis is announced first and the card played after it, so that no number combines the two.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS
from jasstisch.engine.errors import GameError, quote
from jasstisch.env.actions import BID_TEXTS, WEIS, action_texts
from jasstisch.games.rules import Json
from jasstisch.games.scoring_kinds import BY_DIFFERENCE
from jasstisch.games.trick_taking import PLAY_ACTIONS, TrickTaking
from jasstisch.games.weis import WEIS as WITH_WEIS
from jasstisch.games.weis import WeisGame

_CARDS = len(JASS.texts)
_RANKS = tricks.RANKS

_CACHE_SIZE = 1024
"""The number of sets of legal actions whose masks are cached."""

_RANK_BYTES = tuple(
    bytes(ranks >> rank & 1 for rank in range(_RANKS)) for ranks in range(1 << _RANKS)
)
"""For each set of ranks, a byte for each rank, 1 if it is in the set."""


@cache
def _mask_to_bytes(numbers: int, count: int) -> bytes:
    """For a set of numbers, a byte for each number below `count`."""
    return bytes(numbers >> number & 1 for number in range(count))


class TrickActionEncoder:
    """The encoder of actions at a table of one game.

    Args:
        rules: the rules of a game of tricks.

    Attributes:
        texts: all actions by number, as in a match; `weis` announces Weis with the card that
            follows.
        count: actions are numbers below this one.

    Raises:
        GameError: the game does not list its actions, or has too many announcements.
    """

    def __init__(self, rules: TrickTaking) -> None:
        listed = rules.other_actions()
        if listed is None:
            raise GameError(
                f"the actions of {rules.name} have no numbers: its class overrides `legal`, and "
                "`other_actions` does not list all actions besides the play of a card"
            )
        self._name = rules.name
        self.texts = action_texts(rules) | dict(enumerate(PLAY_ACTIONS))
        self._weis = WEIS in self.texts
        if rules.scoring_kind == BY_DIFFERENCE:
            self.texts |= BID_TEXTS
        own = [text for text in listed if text not in self.texts.values()]
        first = max(WEIS * isinstance(rules, WeisGame), *self.texts) + 1
        self.texts = dict(sorted(self.texts.items())) | dict(enumerate(own, start=first))
        self.count = max(self.texts) + 1
        self._numbers = {text: number for number, text in self.texts.items()}
        self._lists_own_actions = bool(own)
        # Only the match knows the other actions before the first trick is complete.
        self._has_extra_actions = isinstance(rules, WeisGame)
        self._extra_count = self.count - _CARDS
        self._empty_mask = bytes(self.count)
        # The legal actions other than cards often repeat, and may be as many as 158 bids.
        self._cached_mask = lru_cache(maxsize=_CACHE_SIZE)(self._compute_mask)

    def __getstate__(self) -> dict[str, Any]:
        """The state without the cache, which cannot be pickled."""
        return {name: value for name, value in vars(self).items() if name != "_cached_mask"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Starts an empty cache."""
        vars(self).update(state)
        self._cached_mask = lru_cache(maxsize=_CACHE_SIZE)(self._compute_mask)

    def mask(self, rules: TrickTaking, seat: int, pending: tuple[int, ...]) -> bytes:
        """A byte for each number, 1 if this seat may choose it now."""
        if seat not in rules.to_act:
            return self._empty_mask
        if (
            rules.phase != "play"
            or self._lists_own_actions
            or (self._has_extra_actions and not rules.history and not pending)
        ):
            return self._cached_mask(tuple(rules.legal(seat)), bool(pending))
        return self._card_mask(rules.playable) + bytes(self._extra_count)

    def mask_from_view(self, _view: Json, legal: Sequence[str], pending: tuple[int, ...]) -> bytes:
        """The same from the legal actions of a match."""
        return self._cached_mask(tuple(legal), bool(pending))

    def _compute_mask(self, legal: tuple[str, ...], announces_weis: bool) -> bytes:
        cards = beyond = 0
        for text in legal:
            announced = self._weis and text.endswith(WITH_WEIS)
            number = WEIS if announced else self._numbers.get(text)
            if number is None:
                raise GameError(
                    f"the action {quote(text)} of {self._name} has no number: `other_actions` of "
                    "its class does not list it"
                )
            if number < _CARDS:
                cards |= 1 << number
            elif not announces_weis:
                beyond |= 1 << number - _CARDS
        return self._card_mask(cards) + _mask_to_bytes(beyond, self._extra_count)

    def _card_mask(self, cards: int) -> bytes:
        return (
            _RANK_BYTES[cards & 511]
            + _RANK_BYTES[cards >> 9 & 511]
            + _RANK_BYTES[cards >> 18 & 511]
            + (_RANK_BYTES[cards >> 27])
        )

    def decode(self, number: int, pending: tuple[int, ...]) -> str | None:
        """The action of a match for a number; a card includes Weis if these have been announced.

        None for Weis, which are announced with the card that follows.

        Raises:
            GameError: the number does not exist, or a card is due.
        """
        text = self.texts.get(number)
        if text is None:
            raise GameError(f"no action of this table is {quote(number)}: see its action mask")
        if pending:
            if number >= _CARDS:
                raise GameError(
                    f"Weis are announced: choose a card, 0 to 35, not {number} ({text})"
                )
            return text + WITH_WEIS
        return None if self._weis and number == WEIS else text

    def encode(self, action: str) -> Sequence[int]:
        """The number of an action; before a card with Weis also that of Weis."""
        card = action.removesuffix(WITH_WEIS)
        return (WEIS, self._numbers[card]) if card != action else (self._numbers[action],)
