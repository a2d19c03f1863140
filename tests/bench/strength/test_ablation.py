"""Ablations: bots without one of their parts still play legally, and weaker."""

import random
from dataclasses import replace
from typing import Any

import pytest

import jasstisch as jt
from bench.strength import ablation
from bench.strength.ablation import GAMES, VARIANTS, AblatedPlayer, rows

ALL = [one for variants in VARIANTS.values() for one in variants]


@pytest.mark.parametrize("variant", ALL, ids=lambda one: f"{one.effort.name} {one.name}")
@pytest.mark.parametrize("game", GAMES)
def test_a_bot_without_a_part_plays_a_legal_round(game: str, variant: AblatedPlayer) -> None:
    effort = replace(variant.effort, max_deals=4, time_limit_s=60.0)
    player, rng = replace(variant, effort=effort), random.Random(3)
    match = jt.Match(jt.game(game, players=4))
    while not match.rounds:
        if match.needs_pack:
            match.deal(rng.sample(match.pack, len(match.pack)))
            continue
        seat = match.to_act[0]
        view, legal = match.view(seat), match.legal(seat)
        action = player.act(view, legal, random.Random(5))
        assert action == player.act(view, legal, random.Random(5))
        match.act(seat, action)


def test_each_variant_lacks_exactly_its_part() -> None:
    """Each variant differs from the full bot in one setting."""
    for player, variants in VARIANTS.items():
        for one in variants:
            as_it_is = AblatedPlayer(one.name, ablation.EFFORTS[player])
            assert (one.effort != as_it_is.effort) + (one.models != as_it_is.models) == 1


def test_the_full_bot_is_listed_first_and_the_others_compared_with_it() -> None:
    def told(name: str) -> dict[str, Any]:
        return {"name": name, "mean": 6.0, "ci95": 0.5, "ms_per_move": 4.0}

    than = {"bot": "all deals alike", "better_by": -0.25, "ci95": 0.1}
    report = {
        "bots": [told("all deals alike"), told("master")],
        "compared": [than],
        "unit": "points",
    }
    assert rows("molotov", "master", "club", report) == [
        ["molotov", "master", "3 club", "6.00 ± 0.50 points", "", "4.0"],
        ["molotov", "all deals alike", "3 club", "6.00 ± 0.50 points", "−0.25 ± 0.10", "4.0"],
    ]


def test_a_table_without_a_place_on_the_page_is_refused_at_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["molotov", "--player", "club", "--against", "master", "--write"]
    monkeypatch.setattr("sys.argv", ["bench.strength.ablation", *asked])
    with pytest.raises(SystemExit):
        ablation.main()
    told = capsys.readouterr().err
    assert "no parts-club-master to write; it has parts-club-greedy, parts-club-club" in told
