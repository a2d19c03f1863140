"""Display names of the players, and their grammatical form in sentences.

A record names a bot `bot:greedy`; the screen shows Greedy 1. Names come from records and from other
people, so control characters are removed first.
"""

from collections.abc import Collection, Iterable, Sequence

from jasstisch.cli.ui.encoding import printable_line
from jasstisch.cli.ui.translator import ENGLISH, Subject, Translator
from jasstisch.i18n import LANGUAGES
from jasstisch.match.record import BOT_PREFIX

YOU_NAMES = frozenset(Translator(language).plain("word.you") for language in LANGUAGES)
"""The names of the person at the terminal who chose none, by language."""

_MAX_LENGTH = 20


def sanitize_name(text: str) -> str:
    """Returns a name on one line, at most 20 characters, without control characters."""
    shown = printable_line(text).strip()
    return shown if len(shown) <= _MAX_LENGTH else shown[: _MAX_LENGTH - 1] + "…"


class PlayerNames:
    """The display names of the players of one match.

    Args:
        players: the names in the match.
        own: the seat of the person at the terminal; None if nobody plays.
        sides: the seats of each side, as in `Game.sides`; none if everybody plays alone.
        translator: the language.
        spoken_to: whether the person at the terminal is always addressed as "you".
        programs: seats of bots that connect from elsewhere.

    Attributes:
        sides: the sides of partners, the own side and seat first; empty without partners.
        translator: the language.
    """

    def __init__(
        self,
        players: Sequence[str],
        own: int | None = None,
        sides: Sequence[Sequence[int]] = (),
        translator: Translator = ENGLISH,
        *,
        spoken_to: bool = False,
        programs: Collection[int] = (),
    ) -> None:
        self.own = own
        self.programs = programs
        self.translator = translator
        self.you = frozenset(
            seat
            for seat, name in enumerate(players)
            if (name in YOU_NAMES and own in {None, seat}) or (spoken_to and own == seat)
        )
        self.names = [self._display_name(players, seat) for seat in range(len(players))]
        self.sides: list[tuple[int, ...]] = []
        if any(len(side) > 1 for side in sides):
            mine = [tuple(sorted(side, key=lambda seat: seat != own)) for side in sides]
            self.sides = sorted(mine, key=lambda side: own not in side)

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, seat: int) -> str:
        return self.names[seat]

    def subject(self, seats: int | Iterable[int]) -> Subject:
        """Returns players as the subject of a sentence: `Greedy 1`, `You and Greedy 2`."""
        several = [seats] if isinstance(seats, int) else list(seats)
        spoken_to = any(seat in self.you for seat in several)
        return Subject(self.join_names(several), 2 * (len(several) > 1) + spoken_to)

    def is_partner(self, seat: int) -> bool:
        """Returns whether a seat is on the side of the person at the terminal."""
        return seat != self.own and any({seat, self.own} <= set(side) for side in self.sides)

    def seats_of_side(self, seat: int) -> tuple[int, ...]:
        """Returns the seats of the side of a seat."""
        return next((side for side in self.sides if seat in side), (seat,))

    def join_names(self, seats: Iterable[int]) -> str:
        """Returns the names in a sentence: `You, Greedy 1 and Greedy 2`."""
        return self.translator.join_names([self[seat] for seat in seats])

    def _display_name(self, players: Sequence[str], seat: int) -> str:
        """Returns the display name of one seat; bots of one kind are numbered."""
        name = players[seat]
        if seat in self.you:
            return self.translator.plain("word.you")
        if not name.startswith(BOT_PREFIX):
            shown = sanitize_name(name) or self.translator.plain("word.seat", n=seat + 1)
            program = seat in self.programs
            return (
                self.translator.shared_text("program_named", name=shown).plain if program else shown
            )
        kind = sanitize_name(name.removeprefix(BOT_PREFIX)).capitalize() or self.translator.plain(
            "word.computer"
        )
        if players.count(name) == 1:
            return kind
        return f"{kind} {players[: seat + 1].count(name)}"
