"""A running table, without I/O: seats, clock, commands that become events, and what readers see."""

from jasstisch.extras import require

require("server", "a running table")

from jasstisch.table import commands, events, hurrying
from jasstisch.table.clock import Clock
from jasstisch.table.dealing import Dealer, Shuffle
from jasstisch.table.errors import TableError
from jasstisch.table.events import STAND_IN
from jasstisch.table.reader import MOST_MISSED, Common, Reader, Recent
from jasstisch.table.replay import Over, Replay, ReplayStep, over, replayed, rounds_over
from jasstisch.table.resuming import Resumption, resumption
from jasstisch.table.room import Change, Happened, Hint, Refused, Room, RoomPhase, SeatInfo, Turn
from jasstisch.table.state import Finished, State
from jasstisch.table.table import Table

__all__ = [
    "MOST_MISSED",
    "STAND_IN",
    "Change",
    "Clock",
    "Common",
    "Dealer",
    "Finished",
    "Happened",
    "Hint",
    "Over",
    "Reader",
    "Recent",
    "Refused",
    "Replay",
    "ReplayStep",
    "Resumption",
    "Room",
    "RoomPhase",
    "SeatInfo",
    "Shuffle",
    "State",
    "Table",
    "TableError",
    "Turn",
    "commands",
    "events",
    "hurrying",
    "over",
    "replayed",
    "resumption",
    "rounds_over",
]
