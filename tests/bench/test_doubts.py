"""The table of how lively I Doubt It is among four of each computer player."""

import pytest

import jasstisch as jt
from bench import doubts
from bench.doubts import Deal


def test_shares_are_those_of_all_claims_and_of_all_deals() -> None:
    deals = [Deal(claims=10, true=5, doubted=1, out=True), Deal(30, 5, 9, out=False)]
    section = doubts.section(["--deals", "2", "--write"], {"greedy": deals})
    assert section.command == "python -m bench.doubts --deals 2"
    assert section.rows == [["greedy", "2", "25 %", "25 %", "50 %", "20"]]


def test_a_deal_is_told_as_it_went() -> None:
    """Who plays by chance doubts every second claim he hears and hardly ever says the truth."""
    (deal,) = doubts.played(jt.bot("random"), 1)
    assert deal.claims == 48
    assert not deal.out
    assert deal.doubted > 30
    assert deal.true < 3


def test_the_command_plays_and_prints(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["doubts", "--deals", "2", "--only", "sociable"])
    assert doubts.main() == 0
    assert "| sociable | 2 | " in capsys.readouterr().out
