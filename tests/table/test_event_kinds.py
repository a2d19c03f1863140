"""Readers are told each event by a kind that they know."""

from typing import get_args

from jasstisch.table import events, per_reader_info
from jasstisch.table.client_state import EventKind

KNOWN = set(get_args(EventKind))


def test_each_event_has_a_kind_and_each_kind_an_event() -> None:
    tags = {kind.__struct_config__.tag for kind in get_args(events.Event)}
    assert tags - {"resumed"} == KNOWN


def test_a_resumed_match_is_one_that_started() -> None:
    assert per_reader_info.event_kind(events.MatchResumed({}, [])) == "started"
    assert per_reader_info.event_kind(events.Ready(0)) == "ready"
