"""The encoding, checksums and validation of a table's log, shared by all stores."""

import zlib
from collections.abc import Iterator, Sequence

import msgspec

from jasstisch.storage.errors import CorruptionError
from jasstisch.table.events import (
    EntryRequested,
    Event,
    LinkRevoked,
    LobbyCompacted,
    SeatTaken,
    TableCreated,
)

MAX_CHANGES_PER_COMMIT = 512
"""The most changes in one commit."""

MAX_DELETES_PER_STEP = 200
"""The events of deleted tables that are deleted in one step, between two commits."""

TOUCH_RESOLUTION_S = 3600.0
"""The resolution of a table's last change in seconds; a finer one needs a write for every event."""

encode_event = msgspec.json.Encoder().encode
"""Encodes the stored body of an event."""

_decode = msgspec.json.Decoder(Event).decode


def checksum(table: str, version: int, body: bytes) -> int:
    """The CRC-32 of a stored event or analysis, over its table, its version and its body."""
    return zlib.crc32(body, zlib.crc32(f"{table} {version} ".encode(errors="replace")))


def persons_in(events: Sequence[Event]) -> Iterator[str]:
    """The people who first appear in a log with these events."""
    for event in events:
        match event:
            case (
                TableCreated(host=str(person))
                | SeatTaken(person=person)
                | EntryRequested(person=person)
            ):
                yield person
            case _:
                pass


def revokes_link(events: Sequence[Event]) -> bool:
    """Whether the link of a table is revoked with these events."""
    return any(isinstance(one, LinkRevoked) for one in events)


def last_compaction_version(events: Sequence[Event]) -> int:
    """The version of the last compacting event among these; 0 where there is none."""
    return max((one.version for one in events if isinstance(one, LobbyCompacted)), default=0)


def event_versions(events: Sequence[Event]) -> list[int]:
    """The version of each event of a log, whose second event may have replaced earlier ones."""
    match events[1:2]:
        case [LobbyCompacted(version=version)]:
            return [1, *range(version, version + len(events) - 1)]
    return list(range(1, len(events) + 1))


def verify_and_decode(table: str, rows: Sequence[tuple[object, object, object]]) -> list[Event]:
    """Verifies and decodes the events of a log.

    Args:
        table: the id of the table.
        rows: version, body and checksum of each event, in order; old events have no checksum.

    Raises:
        CorruptionError: an event is missing or was changed.
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
    """Verifies and returns an analysis.

    Raises:
        CorruptionError: the analysis was changed.
    """
    if not isinstance(body, bytes) or summed != checksum(table, number, body):
        raise CorruptionError(f"the analysis of match {number} is not what was written")
    return body


def _check_gaps(versions: list[int], events: Sequence[Event]) -> None:
    """Raises an error for a log with a gap that no compacting event explains."""
    if versions != event_versions(events):
        raise CorruptionError("its log has gaps")
