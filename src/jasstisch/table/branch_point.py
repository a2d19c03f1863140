"""The points at which a finished match can be resumed: its decisions, each with the log before it.

The packs before that decision are kept; later packs are shuffled anew.
"""

from msgspec import Struct

from jasstisch.games.rules import Game
from jasstisch.match.match import Match
from jasstisch.table.errors import TableError
from jasstisch.table.replay import FinishedMatch


class BranchPoint(Struct, frozen=True):
    """A decision of a finished match.

    Attributes:
        log: the packs and actions before it, as in the record.
        to_act: the seats that could act then.
    """

    log: list[tuple[int | str, str]]
    to_act: tuple[int, ...]


def find_branch_point(match: FinishedMatch, step: int) -> BranchPoint:
    """The first decision of a match after this number of steps.

    Raises:
        TableError: the match has fewer steps, or no decision follows.
    """
    record = match.record
    log = [(actor, text) for actor, text in record["log"]]
    if step > len(log):
        raise TableError("bad_option", f"this match has {len(log)} steps")
    played = Match(Game(record["game"], record["options"]))
    for place, (actor, text) in enumerate(log):
        if place >= step and played.to_act:
            return BranchPoint(log[:place], played.to_act)
        if isinstance(actor, int):
            played.act(actor, text)
        else:
            played.deal(text)
    raise TableError("wrong_phase", "the match is over after this step; nothing is left to play")
