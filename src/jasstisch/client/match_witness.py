"""What a client has seen of a match, to compare it with the record at the end.

The evidence of fair deals proves the packs of a record, not that the record is of the match that
was played. The client has seen its hands, all plays and the result.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import count, groupby
from typing import Any, Literal

from jasstisch.match import Match
from jasstisch.table.client_state import EventInfo, is_card_action

_NAMES = "players"
"""The part of a view that may change without an action."""

_MAX_MISSED_UNDOS = 3
"""How many undos a client may have missed. An honest server has hardly one; a dishonest one could
explain any play away with enough of them."""

Change = Literal["card", "reply", "final", "undone", "gap"]
"""What led to a view: the card of a person, which they may undo; a card of a bot after it, which is
undone with it; any other action, which stands; an undo; or changes that the client has missed."""


@dataclass(frozen=True, slots=True)
class _SeenView:
    """A view that was seen.

    Attributes:
        seat: whose view it is, None for that of spectators.
        digest: its digest.
        group: the number of the card with which it would be undone; 0 if it stands.
    """

    seat: int | None
    digest: str
    group: int


def change_by(event: EventInfo) -> Change:
    """What an event changes."""
    if event.kind == "undone":
        return "undone"
    if event.kind == "acted" and event.action and is_card_action(event.action):
        return "card" if event.by == "person" else "reply"
    return "final"


class MatchWitness:
    """The views of a match that a client has had, as digests, in order."""

    def __init__(self) -> None:
        self._views: list[_SeenView] = []
        self._places: dict[tuple[int | None, str], int] = {}
        self._groups = count(1)
        self._group = 0
        self._optional: set[int] = set()

    def note(self, seat: int | None, view: Mapping[str, Any], change: Change = "final") -> None:
        """Notes the view that a seat has now; None for a spectator."""
        self.note_digest(seat, digest_of(view), change)

    def note_digest(self, seat: int | None, digest: str, change: Change) -> bool:
        """Notes a view by its digest; returns whether this changes what is known.

        A view that was seen before is seen again after an undo: what came between never happened.
        The last card seen may have been undone while changes were missed.
        """
        place = self._places.get((seat, digest))
        if change == "gap":
            self._optional.add(self._group)
        elif place == len(self._views) - 1:
            return False
        if place is None and change == "undone" and self._group:
            place = self._first_of_group() - 1
        if place is not None:
            self._cut(place + 1)
        if change == "gap" and place is not None:
            self._group = self._views[place].group
        elif change in ("card", "gap"):
            self._group = next(self._groups)
        elif change != "reply":
            self._group = 0
        if (seat, digest) not in self._places:
            self._places[seat, digest] = len(self._views)
            self._views.append(_SeenView(seat, digest, self._group))
        return True

    def _first_of_group(self) -> int:
        """The place of the first view of the present group, whose views are the last ones."""
        groups = [view.group for view in self._views]
        return groups.index(self._group) if self._group in groups else len(groups)

    def _cut(self, length: int) -> None:
        """Forgets the views from a place on."""
        for view in self._views[length:]:
            del self._places[view.seat, view.digest]
        del self._views[length:]

    def is_of(self, match: Match) -> bool:
        """Whether a match had all these views, in this order, but for a few that were undone."""
        seats = {view.seat for view in self._views}
        steps = [{seat: digest_of(step.view(seat)) for seat in seats} for step in _replay(match)]
        place = missed = 0
        for group, views in groupby(self._views, lambda view: view.group):
            found = _find(list(views), steps, place)
            if found is not None:
                place = found
            elif group and group in self._optional:
                missed += 1
            else:
                return False
        return missed <= _MAX_MISSED_UNDOS


def digest_of(view: Mapping[str, Any]) -> str:
    """The digest of a view, in hexadecimal."""
    compared = {key: value for key, value in view.items() if key != _NAMES}
    return sha256(json.dumps(compared, sort_keys=True).encode()).hexdigest()


def _find(
    views: Sequence[_SeenView], steps: Sequence[Mapping[int | None, str]], place: int
) -> int | None:
    """The step at which the last of these views is found, from a step on; None if one is not."""
    for view in views:
        while place < len(steps) and steps[place][view.seat] != view.digest:
            place += 1
    return place if place < len(steps) else None


def _replay(match: Match) -> Iterator[Match]:
    """The match before its first step and after each one."""
    replayed = Match(match.game, match.players)
    yield replayed
    for actor, text in match.record()["log"]:
        if actor == "pack":
            replayed.deal(text)
        else:
            replayed.act(actor, text)
        yield replayed
