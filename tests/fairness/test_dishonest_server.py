"""A dishonest server never ends with “verified” over a pack or a play that it could choose."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from hypothesis import HealthCheck, settings

from bench.attacks.fair_deals.attacks import ATTACKS, REPLACEMENT, Attack
from bench.attacks.fair_deals.checks import ROOT, Edit, python_checks, typescript_checks
from bench.attacks.fair_deals.devices import (
    DeviceComparison,
    EditableDevice,
    PythonDevice,
    TypeScriptDevice,
)
from bench.attacks.fair_deals.dishonest_server import (
    SEATS,
    TABLE,
    DishonestServer,
    PublishedPack,
)
from bench.attacks.fair_deals.play_attacks import PLAY_ATTACKS
from bench.attacks.fair_deals.state_machine import search
from bench.attacks.fair_deals.vectors import Vector, device_vectors, is_needed, record_vectors
from tests.support.example_counts import examples

pytestmark = pytest.mark.outside

VECTORS = [*device_vectors(), *record_vectors()]

PROVED_ELSEWHERE = (
    "a card is a rank",
    "not a card",
    "a card is there twice",
    "the match is not over",
)
"""Checks of what the rules of play refuse first, or of what the page alone knows; each has a test
beside its implementation."""


@pytest.fixture(scope="module")
def typescript() -> Iterator[TypeScriptDevice]:
    with TypeScriptDevice(TABLE, SEATS) as device:
        yield device


@pytest.fixture(scope="module", params=["python", "typescript"])
def device(request: pytest.FixtureRequest, typescript: TypeScriptDevice) -> EditableDevice:
    return PythonDevice(TABLE, SEATS) if request.param == "python" else typescript


def succeeds(attack: Attack, device: EditableDevice, *removed: Edit) -> bool:
    with ExitStack() as edits:
        for edit in removed:
            edits.enter_context(device.edited(edit))
        device.lose_memory()
        server = DishonestServer(device)
        record = attack.run(server)
        return server.has_won(record, server.judge(record))


@pytest.mark.parametrize(
    "attack", [*ATTACKS, *PLAY_ATTACKS], ids=lambda attack: attack.run.__name__
)
def test_an_attack_fails_and_succeeds_without_the_check_that_stops_it(
    attack: Attack, device: EditableDevice
) -> None:
    check = attack.python if isinstance(device, PythonDevice) else attack.typescript
    assert not succeeds(attack, device)
    assert succeeds(attack, device, check)


def test_a_match_in_the_place_of_another_is_verified_and_the_other_one_named(
    device: EditableDevice,
) -> None:
    check = REPLACEMENT.python if isinstance(device, PythonDevice) else REPLACEMENT.typescript
    for edits, named in (([], [1]), ([check], [])):
        with ExitStack() as stack:
            for edit in edits:
                stack.enter_context(device.edited(edit))
            device.lose_memory()
            server = DishonestServer(device)
            verdict = server.judge(REPLACEMENT.run(server))
            assert (verdict.kind, verdict.own_pack_count) == ("verified", 1)
            assert device.unproven_matches() == named


def test_a_contribution_opened_again_is_one_for_the_chain_that_was_announced() -> None:
    """The server already means another chain, and repeats what it had told with the first one."""
    server = DishonestServer(PythonDevice(TABLE, SEATS))
    server.tell(1)
    call = server.open_to_all(1)
    told = server.state(2, call)
    server.end = server.chain(1).chain_end(0)
    server.device.reconnect()
    assert server.tell_plain(told, call).openings
    record = server.record([PublishedPack(call.commitments)])
    assert not server.has_won(record, server.judge(record))


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.what)
def test_a_device_answers_as_published(vector: Vector, device: EditableDevice) -> None:
    assert vector.holds_for(device)


def test_each_other_check_refuses_something_that_no_other_check_refuses(
    device: EditableDevice,
) -> None:
    python = isinstance(device, PythonDevice)
    stopping = {attack.python if python else attack.typescript for attack in ATTACKS}
    others = [
        check
        for check in (python_checks() if python else typescript_checks())
        if check not in stopping and not any(text in check.old for text in PROVED_ELSEWHERE)
    ]
    assert len(others) > 20
    assert [check for check in others if not is_needed(device, check, VECTORS)] == []


def test_a_server_that_lies_at_random_finds_nothing(typescript: TypeScriptDevice) -> None:
    how = settings(
        max_examples=examples(400, 50),
        stateful_step_count=20,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    python = PythonDevice(TABLE, SEATS)
    search(lambda: DeviceComparison(python, typescript), how)


def test_the_documentation_has_each_attack_with_its_check() -> None:
    page = (ROOT / "docs/fair-deals.md").read_text(encoding="utf-8")
    rows = [
        f"| {attack.title} | {attack.check} |" for attack in (*ATTACKS, REPLACEMENT, *PLAY_ATTACKS)
    ]
    assert [row for row in rows if row not in page] == []
