"""A running table without I/O: its seats, clock, commands, events and the deltas for readers.

It decides which commands are accepted, which events they cause, and what each reader may see. It
does not store events, send messages or run bots; the rules of a game are in `jasstisch.games`.
Begin with `table`, then `state` and `events`.
"""

from jasstisch.extras import require

require("server", "a running table")

from jasstisch.table import commands, events, per_reader_info, turns
from jasstisch.table.access_rules import AccessRules
from jasstisch.table.branch_point import BranchPoint, find_branch_point
from jasstisch.table.client_state import (
    CardRefusal,
    EventInfo,
    RoomInfo,
    RoomPhase,
    SeatInfo,
    TableDelta,
    Turn,
    TutorialHint,
    is_card_action,
)
from jasstisch.table.clock import Clock
from jasstisch.table.deltas import RECENT_LIMIT, RecentDeltas, SeatDeltas, SharedDeltas
from jasstisch.table.errors import TableError
from jasstisch.table.events import DEFAULT_STAND_IN
from jasstisch.table.forgetting import forget_person, persons_seated
from jasstisch.table.handlers import skip_pauses
from jasstisch.table.pack_source import PackSource, Shuffle
from jasstisch.table.replay import (
    FinishedMatch,
    Replay,
    ReplayStep,
    build_replay,
    closed_match,
    finished_match,
    finished_rounds,
)
from jasstisch.table.state import Progress, State
from jasstisch.table.table import Table

__all__ = [
    "DEFAULT_STAND_IN",
    "RECENT_LIMIT",
    "AccessRules",
    "BranchPoint",
    "CardRefusal",
    "Clock",
    "EventInfo",
    "FinishedMatch",
    "PackSource",
    "Progress",
    "RecentDeltas",
    "Replay",
    "ReplayStep",
    "RoomInfo",
    "RoomPhase",
    "SeatDeltas",
    "SeatInfo",
    "SharedDeltas",
    "Shuffle",
    "State",
    "Table",
    "TableDelta",
    "TableError",
    "Turn",
    "TutorialHint",
    "build_replay",
    "closed_match",
    "commands",
    "events",
    "find_branch_point",
    "finished_match",
    "finished_rounds",
    "forget_person",
    "is_card_action",
    "per_reader_info",
    "persons_seated",
    "skip_pauses",
    "turns",
]
