"""The table of waiting times under attack."""

import inspect
from typing import Any

import pytest

from bench.attacks import server_attacks


@pytest.mark.parametrize(("p99", "verdict"), [(100.0, "met"), (100.1, "not met")])
def test_each_attack_is_compared_with_its_target(p99: float, verdict: str) -> None:
    row: dict[str, Any] = {"attack": "half_open", "done": 21_774, "p50": 2.5, "p99": p99}
    section = server_attacks.section(
        ["--only", "half_open", "--write"], [row | {"max": 120.0, "memory": "72"}]
    )
    assert section.command == "python -m bench.attacks --only half_open"
    (cells,) = section.rows
    assert cells[:3] == ["half open", "21,774", "2.5"]
    assert cells[-1] == f"≤ 100: {verdict}"
    assert section.markdown()


@pytest.mark.parametrize("name", server_attacks.ATTACKS)
def test_each_attack_is_described(name: str) -> None:
    attack = server_attacks.ATTACKS[name]
    assert inspect.getdoc(attack)
    assert list(inspect.signature(attack).parameters) == ["target"]


def test_a_missing_response_counts_as_a_long_wait() -> None:
    player = server_attacks.ProbePlayer(wire=None, table="x")  # type: ignore[arg-type]
    player._sent = {1: 0.0}
    assert player.unanswered()[0] > 0
