"""The seats of a table: who holds each, and how it changes hands.

The state of a table decides when a seat changes hands; this module says what follows for the seat.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hmac import compare_digest
from typing import Self

from msgspec import UNSET

from jasstisch.match.record import BOT_PREFIX
from jasstisch.table import events
from jasstisch.table.client_state import SeatInfo


@dataclass(slots=True)
class Seat:
    """One seat.

    Attributes:
        person: the person who holds it, None for a bot or an open seat.
        name: the person's nickname, kept after they leave.
        bot: the bot that holds the seat.
        vacated_by: the person who left during the match and for whom a bot plays.
        is_away: whether a bot plays for the person until they are back.
        returning: whether the person will be back as soon as that is allowed.
        ready: whether the person is ready for the next round or the rematch.
        action_count: the number of things the seat has done; each restarts its thinking time.
        swap_target: the seat of the person whom this one asks to swap.
        has_extended_time: whether the person has three times the thinking time.
        timeouts: the number of turns of this match that the person missed.
        takeover_action_count: the value of `action_count` when a bot last took over.
        played_card_count: the number of cards the seat has played in this round.
        time_used_ms: milliseconds of the person's turns of this match, where it has a total time.
        pause_expired: whether the person let the time of this pause run out, between rounds or
            after the match.
        face: the person's face, kept after they leave.
        character: the number of the bot that holds the seat or would; see `SeatInfo`.
        is_program: whether a program plays for the person, so that no human watches from this seat.
    """

    person: str | None = None
    name: str = ""
    bot: str | None = None
    vacated_by: str | None = None
    is_away: bool = False
    ready: bool = False
    action_count: int = 0
    swap_target: int | None = None
    returning: bool = False
    has_extended_time: bool = False
    timeouts: int = 0
    takeover_action_count: int | None = None
    played_card_count: int = 0
    time_used_ms: int = 0
    pause_expired: bool = False
    face: int = 0
    character: int = 0
    is_program: bool = False

    @property
    def is_present(self) -> bool:
        """Whether a person holds the seat and no bot plays for them."""
        return self.person is not None and not self.is_away

    @property
    def is_human_active(self) -> bool:
        """Whether a human plays the seat, neither a bot nor a program on a person's behalf."""
        return self.is_present and not self.is_program

    @property
    def belongs_to_person(self) -> bool:
        """Whether the seat belongs to a person in this match, even if a bot plays for them."""
        return self.person is not None or self.vacated_by is not None

    def info(self) -> SeatInfo:
        """The seat as everybody sees it."""
        if self.person is not None:
            return SeatInfo(
                kind="person",
                name=self.name,
                bot=None,
                left=False,
                away=self.is_away,
                ready=self.ready,
                asks=self.swap_target,
                returning=self.returning,
                patient=self.has_extended_time,
                lapses=self.timeouts,
                face=self.face,
                program=self.is_program or UNSET,
            )
        if self.bot is not None:
            left = self.vacated_by is not None
            name = self.name if left else f"{BOT_PREFIX}{self.bot}"
            return SeatInfo(
                kind="computer",
                name=name,
                bot=self.bot,
                left=left,
                away=False,
                ready=False,
                asks=None,
                face=self.face if left else 0,
                character=self.character,
            )
        return SeatInfo("open", "", None, False, False, False, None)


class Seats(list[Seat]):
    """The seats of a table, in order."""

    @classmethod
    def from_snapshots(cls, snapshots: Sequence[events.SeatSnapshot]) -> Self:
        """The seats as a compaction of the log has kept them; see `snapshots`."""
        return cls(
            Seat(
                held.person,
                held.name,
                held.bot,
                action_count=held.moves,
                swap_target=held.asks,
                has_extended_time=held.patient,
                face=held.face,
                character=seat if held.character is None else held.character,
                is_program=held.program,
            )
            for seat, held in enumerate(snapshots)
        )

    def snapshots(self) -> list[events.SeatSnapshot]:
        """The seats as a compaction of the log keeps them, before the first match."""
        return [
            events.SeatSnapshot(
                place.person,
                place.name,
                place.bot,
                place.action_count,
                place.swap_target,
                place.has_extended_time,
                place.face,
                None if place.character == seat else place.character,
                place.is_program,
            )
            for seat, place in enumerate(self)
        ]

    # Queries.

    def seat_of(self, person: str | None) -> int | None:
        """The seat a person holds; None when they hold none."""
        if person is None:
            return None
        for seat, place in enumerate(self):
            if place.person is not None and compare_digest(place.person, person):
                return seat
        return None

    def unique_name(self, name: str, of: int | None = None) -> str:
        """The nickname, with a number where another seat than `of` already uses it."""
        others = {place.name.casefold() for seat, place in enumerate(self) if seat != of}
        if name.casefold() not in others:
            return name
        numbered = (f"{name} {number}" for number in range(2, len(self) + 2))
        return next(one for one in numbered if one.casefold() not in others)

    def next_host(self, host: str | None) -> str | None:
        """The first human at the table besides the host; None where there is none."""
        people = (place.person for place in self if not place.is_program)
        return next((person for person in people if person not in (None, host)), None)

    @property
    def anyone_ready(self) -> bool:
        """Whether a person is ready whose wish counts; a program's counts only among programs.

        Otherwise programs would play match after match at a table that all humans have left.
        """
        people = any(place.person is not None and not place.is_program for place in self)
        return any(place.ready and not (people and place.is_program) for place in self)

    @property
    def all_ready(self) -> bool:
        """Whether at least one person is ready and nobody who is present is not."""
        waiting = any(place.is_present and not place.ready for place in self)
        return self.anyone_ready and not waiting

    # Changes.

    def assign_person(self, event: events.SeatTaken) -> None:
        """Gives a seat to a person, who may be the one who left it during this match."""
        place = self[event.seat]
        same = place.vacated_by == event.person
        self[event.seat] = Seat(
            event.person,
            event.name,
            action_count=place.action_count,
            played_card_count=place.played_card_count,
            takeover_action_count=place.takeover_action_count,
            timeouts=place.timeouts if same else 0,
            time_used_ms=place.time_used_ms if same else 0,
            face=event.face,
            character=place.character,
            is_program=event.program,
        )

    def assign_bot(self, seat: int, bot: str | None) -> None:
        """Gives a seat to a bot, or opens it (None)."""
        place = self[seat]
        self[seat] = Seat(bot=bot, action_count=place.action_count, character=place.character)

    def let_bot_stand_in(self, seat: int, bot: str) -> None:
        """Has a bot play for a person who leaves during a match."""
        place = self[seat]
        self[seat] = Seat(
            name=place.name,
            bot=bot,
            vacated_by=place.person,
            action_count=place.action_count,
            played_card_count=place.played_card_count,
            takeover_action_count=place.takeover_action_count,
            timeouts=place.timeouts,
            time_used_ms=place.time_used_ms,
            face=place.face,
            character=place.character,
        )

    def reopen_vacated(self) -> None:
        """Opens the seats of people who left during the match."""
        for seat, place in enumerate(self):
            if place.vacated_by is not None:
                self.assign_bot(seat, None)

    def swap(self, event: events.SeatsSwapped) -> None:
        """Swaps two seats; older events leave the characters where they are."""
        seat, other = event.seat, event.other
        self.cancel_swap_offers(seat, other)
        one, two = self[seat], self[other]
        self[seat], self[other] = two, one
        if not event.characters:
            one.character, two.character = two.character, one.character

    def cancel_swap_offers(self, *seats: int) -> None:
        """Ends the swap offers from and to the people of these seats."""
        for seat, place in enumerate(self):
            if seat in seats or place.swap_target in seats:
                place.swap_target = None

    def begin_match(self, bots: dict[int, str]) -> None:
        """Prepares the seats for a match, in which bots take these seats."""
        self.cancel_swap_offers(*range(len(self)))
        for seat, bot in bots.items():
            self.assign_bot(seat, bot)
        for place in self:
            place.timeouts, place.takeover_action_count, place.time_used_ms = 0, None, 0

    def begin_round(self) -> None:
        """Prepares the seats for a round."""
        for place in self:
            place.ready = place.pause_expired = False
            place.played_card_count = 0

    def undo_plays(self, seats: Sequence[int]) -> None:
        """Takes back the cards that these seats have played last."""
        for seat in seats:
            self[seat].played_card_count -= 1
        # All pending decisions start anew; earlier results of bots are no longer valid.
        for place in self:
            place.takeover_action_count = (
                None
                if place.takeover_action_count != place.action_count
                else place.action_count + 1
            )
            place.action_count += 1
