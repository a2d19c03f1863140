"""Doubt rates: how lively I Doubt It is among four equal bots."""

import pytest

import jasstisch as jt
from bench.strength import doubt_rates
from bench.strength.doubt_rates import DealStats


def test_shares_are_those_of_all_claims_and_all_deals() -> None:
    deals = [
        DealStats(claims=10, true=5, doubted=1, out=True, lied=True),
        DealStats(30, 5, 9, out=False),
    ]
    section = doubt_rates.section(["--deals", "2", "--write"], {("greedy", "last=any"): deals})
    assert section.command == "python -m bench.strength.doubt_rates --deals 2"
    assert section.rows == [["greedy", "`last=any`", "2", "25 %", "25 %", "50 %", "50 %", "20"]]


def test_a_deal_is_counted_as_it_was_played() -> None:
    """A random bot doubts every second claim and hardly ever tells the truth."""
    (deal,) = doubt_rates.play_deals(jt.bot("random"), 1)
    assert deal.claims == 48
    assert not deal.out
    assert deal.doubted > 30
    assert deal.true < 3


def test_undoubted_last_cards_are_usually_a_lie() -> None:
    """Four bots go out only with two drawn cards, which rarely match."""
    deals = list(doubt_rates.play_deals(jt.bot("greedy"), 5))
    assert all(deal.out and deal.lied for deal in deals)


def test_house_rules_can_be_set() -> None:
    (deal,) = doubt_rates.play_deals(jt.bot("random"), 1, {"max_turns": 20})
    assert deal.claims == 20


def test_the_command_plays_and_prints(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        "sys.argv", ["doubts", "--deals", "2", "--only", "sociable", "--also", "max_turns=20"]
    )
    assert doubt_rates.main() == 0
    printed = capsys.readouterr().out
    assert "| sociable | the usual ones | 2 | " in printed
    assert "| sociable | `max_turns=20` | 2 | " in printed
