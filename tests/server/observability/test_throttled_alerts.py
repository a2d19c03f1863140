"""Rate-limited alerts that contain no personal data."""

import logging

import pytest
from structlog.testing import capture_logs

from jasstisch.server.observability.structured_log import _LibraryWarningHandler
from jasstisch.server.observability.throttled_alerts import AlertLog


def test_each_alert_is_logged_once_a_second_with_its_count() -> None:
    now = 0.0
    incidents = AlertLog(lambda: now)
    with capture_logs() as lines:
        for tick in range(25):
            now = tick / 10
            incidents.report("limit_hit", "sockets", "192.0.2.77")
        incidents.report("limit_hit", "connections")
        incidents.report("request_refused", "sockets")
    told = [(line["event"], line["what"], line["times"]) for line in lines]
    assert told == [
        ("limit_hit", "sockets", 1),
        ("limit_hit", "sockets", 10),
        ("limit_hit", "sockets", 10),
        ("limit_hit", "connections", 1),
        ("request_refused", "sockets", 1),
    ]
    assert lines[0]["network"] == "192.0.2.0/24"
    assert "network" not in lines[3]


def test_a_library_cannot_flood_the_log() -> None:
    bridge = _LibraryWarningHandler()
    with capture_logs() as lines:
        for number in range(50):
            record = logging.makeLogRecord({"name": "uvicorn", "msg": "Invalid HTTP request."})
            record.created = number / 10
            bridge.emit(record)
    assert len(lines) == pytest.approx(5, abs=1)
