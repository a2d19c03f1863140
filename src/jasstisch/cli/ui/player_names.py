"""What the players are called on screen, and how a sentence about them agrees.

A record knows a computer player as `bot:greedy`; at the table it is Greedy 1. Names come from
records and from people, so whatever would disturb a terminal is taken out of them first.
"""

from collections.abc import Collection, Iterable, Sequence

from jasstisch.cli.ui.encoding import sanitize_line
from jasstisch.cli.ui.translator import ENGLISH, LANGUAGES, Subject, Translator

__all__ = ["BOT_PREFIX", "YOU_NAMES", "PlayerNames", "sanitize_name"]

BOT_PREFIX = "bot:"
"""How the name of a computer player begins in a record."""

YOU_NAMES = frozenset(Translator(language).plain("word.you") for language in LANGUAGES)
"""The names of who sits at the terminal and gave no other, by language."""

MAX_LENGTH = 20


def sanitize_name(text: str) -> str:
    """The text on one line, at most 20 signs long, without anything a terminal would obey."""
    shown = sanitize_line(text).strip()
    return shown if len(shown) <= MAX_LENGTH else shown[: MAX_LENGTH - 1] + "…"


class PlayerNames:
    """The players of one match as they are shown.

    Args:
        players: the names as the match knows them.
        own: seat of who sits at the terminal, None when nobody plays.
        sides: the seats of each side, as `Game.sides` has them; none where everybody is alone.
        speech: the language in which they are spoken of.
        spoken_to: who sits at the terminal is called you, whatever his name.
        programs: seats at which no person plays but a program of somebody's.

    Attributes:
        sides: the sides of partners, one's own side and seat first; empty without partners.
        speech: the language.
    """

    def __init__(
        self,
        players: Sequence[str],
        own: int | None = None,
        sides: Sequence[Sequence[int]] = (),
        speech: Translator = ENGLISH,
        *,
        spoken_to: bool = False,
        programs: Collection[int] = (),
    ) -> None:
        self.own = own
        self.programs = programs
        self.speech = speech
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
        """Players of whom something is said: `Greedy 1`, `You and Greedy 2`."""
        several = [seats] if isinstance(seats, int) else list(seats)
        spoken_to = any(seat in self.you for seat in several)
        return Subject(self.join_names(several), 2 * (len(several) > 1) + spoken_to)

    def is_partner(self, seat: int) -> bool:
        """Whether a seat plays on the side of who sits at the terminal."""
        return seat != self.own and any({seat, self.own} <= set(side) for side in self.sides)

    def seats_of_side(self, seat: int) -> tuple[int, ...]:
        """The seats of the side a seat plays on."""
        return next((side for side in self.sides if seat in side), (seat,))

    def join_names(self, seats: Iterable[int]) -> str:
        """The names in a sentence: `You, Greedy 1 and Greedy 2`."""
        return self.speech.join_names([self[seat] for seat in seats])

    def _display_name(self, players: Sequence[str], seat: int) -> str:
        """The name of one seat; computer players of one kind are numbered."""
        name = players[seat]
        if seat in self.you:
            return self.speech.plain("word.you")
        if not name.startswith(BOT_PREFIX):
            shown = sanitize_name(name) or self.speech.plain("word.seat", n=seat + 1)
            program = seat in self.programs
            return self.speech.shared_text("program_named", name=shown).plain if program else shown
        kind = sanitize_name(name.removeprefix(BOT_PREFIX)).capitalize() or self.speech.plain(
            "word.computer"
        )
        if players.count(name) == 1:
            return kind
        return f"{kind} {players[: seat + 1].count(name)}"
