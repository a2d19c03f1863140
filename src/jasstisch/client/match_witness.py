"""What a client has seen of a match, to compare it with the record at the end.

The evidence of fair deals proves the packs of a record, not that the record is of the match that
was played. The client has seen its hands, all plays and the result.
"""

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from jasstisch.match import Match

_NAMES = "players"
"""The part of a view that may change without an action."""


class MatchWitness:
    """The views of a match that a client has had, as digests, in order."""

    def __init__(self) -> None:
        self._seen: list[tuple[int | None, bytes]] = []

    def note(self, seat: int | None, view: Mapping[str, Any]) -> None:
        """Notes the view that a seat has now; None for a spectator.

        A view that was seen before is seen again after an undo: what came between never happened.
        """
        seen = seat, _digest(view)
        if seen in self._seen:
            del self._seen[self._seen.index(seen) :]
        self._seen.append(seen)

    def is_of(self, match: Match) -> bool:
        """Whether a match that is over had all these views, in this order."""
        awaited = iter(self._seen)
        wanted = next(awaited, None)
        for step in _replay(match):
            while wanted is not None and wanted[1] == _digest(step.view(wanted[0])):
                wanted = next(awaited, None)
        return wanted is None


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


def _digest(view: Mapping[str, Any]) -> bytes:
    compared = {key: value for key, value in view.items() if key != _NAMES}
    return sha256(json.dumps(compared, sort_keys=True).encode()).digest()
