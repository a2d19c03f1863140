"""What the log of a table is in every store: how its entries are written, and what must hold."""

import zlib
from collections.abc import Iterator, Sequence

import msgspec

from jasstisch.storage.event_store import CorruptionError
from jasstisch.table.events import Event, LobbyCompacted, SeatTaken, TableCreated

__all__ = [
    "MAX_CHANGES_PER_COMMIT",
    "MAX_DELETES_PER_STEP",
    "TOUCH_RESOLUTION_S",
    "checksum",
    "compaction_version",
    "encode_event",
    "persons_in",
    "verify_analysis",
    "verify_and_decode",
]

MAX_CHANGES_PER_COMMIT = 512
"""So many changes share one commit at most."""

MAX_DELETES_PER_STEP = 200
"""So many events of deleted tables go in one step, between two commits of others."""

TOUCH_RESOLUTION_S = 3600.0
"""Seconds by which it is told when a table was touched: finer would be written at every event."""

encode_event = msgspec.json.Encoder().encode
"""The body of an event, as it is kept."""

_decode = msgspec.json.Decoder(Event).decode


def checksum(table: str, version: int, body: bytes) -> int:
    """The CRC-32 of an event, or of an analysis, as it is stored, with where it belongs."""
    return zlib.crc32(body, zlib.crc32(f"{table} {version} ".encode(errors="replace")))


def persons_in(events: Sequence[Event]) -> Iterator[str]:
    """Who comes into a log with these events."""
    for event in events:
        match event:
            case TableCreated(host=str(person)) | SeatTaken(person=person):
                yield person
            case _:
                pass


def compaction_version(events: Sequence[Event]) -> int:
    """The version of the last event that stands for those before it; 0 where there is none."""
    return max((one.version for one in events if isinstance(one, LobbyCompacted)), default=0)


def verify_and_decode(table: str, rows: Sequence[tuple[object, object, object]]) -> list[Event]:
    """The events of a log, if all of it is as it was written.

    Args:
        table: whose log it is.
        rows: version, body and checksum of each event, in order; of older events the checksum is
            not known.

    Raises:
        DamagedError: something is missing, or not as it was written.
        msgspec.MsgspecError: an event cannot be decoded.
    """
    versions, events = [], []
    for version, body, summed in rows:
        if not isinstance(version, int) or not isinstance(body, bytes):
            raise CorruptionError("an event is not of the kind that was written")
        if summed is not None and summed != checksum(table, version, body):
            raise CorruptionError(f"event {version} cannot be read: it is not what was written")
        versions.append(version)
        events.append(_decode(body))
    _check_gaps(versions, events)
    return events


def verify_analysis(table: str, number: int, body: object, summed: object) -> bytes:
    """An analysis, if it is as it was written.

    Raises:
        DamagedError: it is not.
    """
    if not isinstance(body, bytes) or summed != checksum(table, number, body):
        raise CorruptionError(f"the analysis of match {number} is not what was written")
    return body


def _check_gaps(versions: Sequence[int], events: Sequence[Event]) -> None:
    """Refuses a log in which something is missing that nothing stands for."""
    whole = list(range(1, len(versions) + 1))
    match events[1:2]:
        case [LobbyCompacted(version=version)]:
            whole = [1, *range(version, version + len(versions) - 1)]
    if versions != whole:
        raise CorruptionError("its log has gaps")
