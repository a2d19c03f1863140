"""The three kinds of error of the package, all of them `ValueError`.

Each message says what was wrong and what is allowed. The parts a program needs (the action, the
clause, the legal actions, the step) are attributes, so that no program has to parse a message.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

_MAX_COMPARED_LENGTH = 40
"""Characters of an unknown word that are compared with known names, which are shorter."""

_QUOTED_TEXT = r"""(?<!\w)(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
_SEAT_LIST = r"[\[(]?-?\d+(?:(?:, | and | to )\d+)*,?[\])]?"
_SEAT_NUMBERS = re.compile(
    rf"{_QUOTED_TEXT}|(?P<seats>\bseats?(?: are)? {_SEAT_LIST}(?:, not \[[\d, ]*\])?)"
)
"""Seats as the messages name them: `seat 1`, `seats 0, 2`, `the seats are 0 to 3`, `seats [0, 2]`.

Quoted text, such as an action or an entry of a log, is matched first and left as it is.
"""


class GameError(ValueError):
    """An unknown game, option, option value, seat or player; the message names what is allowed."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why an action is not allowed now.

    Attributes:
        clause: id of the clause of the rules that forbids it, such as `"C8d"`.
        reason: a code for programs and translations: `follow`, `follow_trump`,
            `follow_or_trump`, `undertrump`, `overtrump`, `trump_if_you_can`, `not_held`, `turn`,
            `unknown`, `bid`, `answer`, `blind`, `rob`, `weis`, `lay`, `pack` or `over`.
        text: the same in an English sentence.
    """

    clause: str
    reason: str
    text: str


class IllegalAction(ValueError):  # noqa: N818 - the name is the public vocabulary
    """An action or pack is refused; the match is unchanged (C12).

    Attributes:
        action: the refused action, as text.
        refusal: the clause, the reason and the sentence.
        legal: the texts of the actions open to the seat instead; empty where there are none.
    """

    def __init__(self, action: str, refusal: Refusal, legal: Sequence[str] = ()) -> None:
        super().__init__(action, refusal, legal)
        self.action = action
        self.refusal = refusal
        self.legal = legal

    @property
    def clause(self) -> str:
        """Id of the clause that forbids the action."""
        return self.refusal.clause

    @property
    def reason(self) -> str:
        """Code of the reason, see `Refusal.reason`."""
        return self.refusal.reason

    def __str__(self) -> str:
        text = f"{shorten(self.action)!r}: {self.refusal.text} ({self.clause})."
        return f"{text} Legal: {_list_actions(self.legal)}." if self.legal else text


class RecordError(ValueError):
    """A record cannot be read, or replaying it does not yield what it says.

    Attributes:
        step: 0 for the header, 1 … for the entries of the log, `len(log) + 1` for the result.
        pack: number, from 1, of the pack whose deal contradicts the evidence in `fair`; 0 where
            `fair` itself is wrong, None for any other error.
    """

    def __init__(self, step: int, text: str, pack: int | None = None) -> None:
        super().__init__(step, text, pack)
        self.step = step
        self.text = text
        self.pack = pack

    def __str__(self) -> str:
        return f"step {self.step}: {self.text}"


def shorten(text: str, max_length: int = 80) -> str:
    """The text, cut to at most `max_length` characters so that an error cannot be flooded."""
    return text if len(text) <= max_length else text[: max_length - 1] + "…"


def quote(value: object) -> str:
    """The `repr` of any value for an error message, of limited length."""
    try:
        return shorten(repr(value))
    except (ValueError, RecursionError):  # an int of over 4,300 digits, lists in lists in lists
        return f"a {type(value).__name__} too long to print"


def count_seats_from_one(message: str) -> str:
    """The message of an exception with its seats counted from 1, as people read them.

    Exceptions count seats from 0, as all of Python does here. Whatever shows the message of one to
    a person converts it first.
    """

    def convert(found: re.Match[str]) -> str:
        seats: str | None = found["seats"]
        return found[0] if seats is None else re.sub(r"-?\d+", _one_more, seats)

    return _SEAT_NUMBERS.sub(convert, message)


def _one_more(number: re.Match[str]) -> str:
    return str(int(number[0]) + 1)


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """The end of a message about an unknown word: the known word closest to it, if any is close."""
    if not isinstance(word, str):
        return ""
    nearest = get_close_matches(word[:_MAX_COMPARED_LENGTH], known, n=1)
    return f"; did you mean {nearest[0]}?" if nearest else ""


def _list_actions(legal: Sequence[str], max_count: int = 12) -> str:
    shown = ", ".join(legal[i] for i in range(min(max_count, len(legal))))
    return shown if len(legal) <= max_count else f"{shown}, … {legal[-1]} ({len(legal)} in all)"
