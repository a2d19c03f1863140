"""Finished rounds, decision by decision: what is judged, what it costs, and where it is done."""

import json
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from typing import Any

import pytest

import jasstisch as jt
from jasstisch.analysis import REASONS, THOROUGH, Analysis, analyse, hint, metric_of
from jasstisch.analysis import round_analysis as under_test
from jasstisch.bots.searching.budget import ADVICE, SearchBudget
from jasstisch.engine.errors import GameError, RecordError
from tests.analysis.search_stubs import fixed_search, random_search
from tests.rules import match_builders

QUICK = SearchBudget("analysis", worlds=8, plays=0, limit=float("inf"))


def played(name: str, rounds: int = 1, seed: int = 1, **options: Any) -> jt.Match:
    """A match played by chance for so many rounds, or to its end."""
    rng = random.Random(seed)
    match = jt.Match(jt.game(name, **options))
    while not match.over and len(match.rounds) < rounds:
        match_builders.step(match, rng)
    return match


@pytest.fixture
def guessing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Actions are weighed by chance, so that a round costs nothing."""
    monkeypatch.setattr(under_test, "evaluate_actions", random_search)


def decisions(match: jt.Match, **asked: Any) -> Iterator[Any]:
    yield from analyse(match, **asked).decisions


# What is judged.


def test_the_best_card_and_what_another_costs_come_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """All cards are worth nothing but the one that forehand might have led."""
    match = played("differenzler")
    seat, action = next(entry for entry in match.record()["log"] if entry[1].startswith("play"))
    hand = sorted(
        trick["cards"][(seat - trick["leader"]) % 4] for trick in match.rounds[0]["tricks"]
    )
    best = next(f"play {card}" for card in hand if f"play {card}" != action)
    monkeypatch.setattr(under_test, "evaluate_actions", fixed_search({best: 12.5}))
    first = next(one for one in decisions(match, seat=seat) if one.trick == 1)
    assert (first.played, first.best, first.loss, first.mistake) == (action, best, 12.5, True)


@pytest.mark.usefixtures("guessing")
def test_every_choice_of_the_round_is_judged_and_nothing_that_was_none() -> None:
    match = played("differenzler", rounds=2)
    choices = [
        (step, view["seat"], action)
        for step, view, action, legal in replayed(match)
        if len(legal) > 1
    ]
    assert [(one.step, one.seat, one.played) for one in decisions(match)] == choices


def replayed(match: jt.Match) -> Iterator[tuple[int, dict[str, Any], str, list[str]]]:
    """The actions of a match with what was seen and what was legal each time."""
    again = jt.Match(match.game)
    for step, (who, what) in enumerate(match.record()["log"], start=1):
        if who == "pack":
            again.deal(what)
        else:
            yield step, again.view(who), what, list(again.legal(who))
            again.act(who, what)


@pytest.mark.usefixtures("guessing")
def test_a_round_and_a_seat_can_be_asked_for() -> None:
    match = played("molotow", rounds=3)
    assert {one.round for one in decisions(match)} == {1, 2, 3}
    assert {(one.round, one.seat) for one in decisions(match, round=2, seat=3)} == {(2, 3)}
    assert analyse(match, 2).rounds == (2,)


def test_what_nobody_thought_of_is_weighed_against_the_best(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of thousands of lays few are weighed; the one that was made is always among them."""
    monkeypatch.setattr(under_test, "evaluate_actions", random_search)
    for one in decisions(played("i-doubt-it", max_turns=20 * 4, seed=4)):
        assert one.played in [candidate.action for candidate in one.candidates]


def test_what_was_hardly_tried_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def weigh(view: Any, legal: Any, rng: Any, effort: Any) -> Any:
        asked.append(len(legal))
        found = fixed_search({legal[0]: 3.0})(view, legal, rng, effort)
        return [found[0], *(replace(one, trials=1) for one in found[1:])]

    monkeypatch.setattr(under_test, "evaluate_actions", weigh)
    match = played("molotov")
    for one in decisions(match):
        known = {candidate.action for candidate in one.candidates}
        assert len(known) == len(one.candidates)
    assert 2 in asked


def test_what_was_soon_given_up_is_not_the_best_for_its_few_lucky_trials(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def weigh(view: Any, legal: Any, rng: Any, effort: Any) -> Any:
        first, *others = fixed_search({legal[0]: 3.0})(view, legal, rng, effort)
        lucky = [replace(one, value=9.0, trials=1) for one in others[1:]]
        return [first, *others[:1], *lucky]

    monkeypatch.setattr(under_test, "evaluate_actions", weigh)
    for one in decisions(played("molotow")):
        assert one.candidates[0].trials > 1 or one.best == one.played
        assert one.loss_of_worth >= 0


@pytest.mark.usefixtures("guessing")
def test_cards_laid_in_any_order_are_the_same_lay__ID2() -> None:
    match = jt.Match(jt.game("i-doubt-it", dealer=3, rounds=1, max_turns=80))
    match.deal(match_builders.shuffled(match, random.Random(2)))
    hand = match.hand(0)
    match.act(0, f"lay {hand[2]} {hand[0]} {hand[1]} as A")
    rng = random.Random(3)
    while not match.over:
        match_builders.step(match, rng)
    first = next(decisions(match))
    assert first.played == f"lay {hand[0]} {hand[1]} {hand[2]} as A"


@pytest.mark.parametrize(("name", "seed"), [("molotov", 3), ("differenzler", 1)])
def test_what_a_hint_advises_in_the_last_tricks_is_no_mistake(name: str, seed: int) -> None:
    match = played(name, seed=seed)
    views = {step: view for step, view, *_ in replayed(match)}
    for one in decisions(match, effort=replace(THOROUGH, worlds=128)):
        if one.trick <= 9 - ADVICE.solved:
            continue
        values = {candidate.action: candidate.value for candidate in one.candidates}
        told = hint(views[one.step], list(values), random.Random(1)).action
        assert max(values.values()) - values[told] < metric_of(name).min_significant


# What is not told.


@pytest.mark.usefixtures("guessing")
def test_a_round_that_is_not_finished_is_refused() -> None:
    match = played("molotow", rounds=2)
    rng = random.Random(1)
    for _ in range(12):
        match_builders.step(match, rng)
    with pytest.raises(GameError, match="round 3 is not finished; the finished rounds are 1 to 2"):
        analyse(match, 3)
    for wrong in (0, -1, 9, True, "1"):
        with pytest.raises(GameError, match="is not finished"):
            analyse(match, wrong)  # type: ignore[arg-type]


@pytest.mark.usefixtures("guessing")
def test_of_a_running_match_the_round_in_progress_is_left_out() -> None:
    match = played("molotow", rounds=2)
    rng = random.Random(1)
    for _ in range(12):
        match_builders.step(match, rng)
    assert analyse(match).rounds == (1, 2)
    assert {one.round for one in decisions(match)} == {1, 2}


def test_before_the_first_round_is_over_there_is_nothing_to_analyse() -> None:
    with pytest.raises(GameError, match="no round of this match is finished"):
        analyse(played("molotow", rounds=0))


@pytest.mark.usefixtures("guessing")
def test_a_deal_that_was_void_is_in_no_analysis__MV7() -> None:
    dealt = (played("molotov", seed=seed, players=3, no_trump="annul") for seed in range(500))
    match = next(one for one in dealt if packs_of(one) > 2)
    packs = [step for step, (who, _) in enumerate(match.record()["log"]) if who == "pack"]
    assert all(one.step > packs[-1] for one in decisions(match))


def packs_of(match: jt.Match) -> int:
    """How many packs a match has needed: one for the draw, one for each deal."""
    return sum(who == "pack" for who, _ in match.record()["log"])


def test_a_seat_that_is_not_there_is_refused() -> None:
    with pytest.raises(GameError, match="no seat 4; the seats are 0 to 3"):
        analyse(played("molotow"), seat=4)


def test_a_record_that_does_not_hold_is_refused() -> None:
    record = played("molotow").record()
    record["log"][3][1] = "play XX"
    with pytest.raises(RecordError, match="step 4"):
        analyse(record)


# Where and how it is done.


@pytest.mark.usefixtures("guessing")
def test_the_result_does_not_depend_on_where_it_is_worked_out() -> None:
    match = played("molotov", rounds=2)
    here = analyse(match)
    with ThreadPoolExecutor(3) as executor:
        assert analyse(match.record(), executor=executor) == here
    assert analyse(match, seed=1) != here


@pytest.mark.usefixtures("guessing")
def test_a_round_alone_comes_out_as_among_others() -> None:
    match = played("molotov", rounds=3)
    among = [one for one in decisions(match) if one.round == 2]
    assert list(decisions(match, round=2)) == among


@pytest.mark.usefixtures("guessing")
def test_progress_is_told_to_the_last_decision() -> None:
    match = played("molotov")
    heard: list[tuple[int, int]] = []
    analysis = analyse(match, progress=lambda done, total: heard.append((done, total)))
    total = len(analysis.decisions)
    assert heard == [(done, total) for done in range(total + 1)]


@pytest.mark.usefixtures("guessing")
def test_losses_add_up_to_what_each_player_gave_away() -> None:
    analysis = analyse(played("differenzler", rounds=2))
    for seat, lost in enumerate(analysis.lost):
        own = [one.loss for one in analysis.decisions if one.seat == seat and one.mistake]
        assert lost == pytest.approx(sum(max(0.0, loss) for loss in own), abs=1e-3)


@pytest.mark.parametrize("name", match_builders.ALL_GAMES)
def test_every_game_is_analysed_by_the_searching_players(name: str) -> None:
    """With little effort, from deal to score, here and on two threads."""
    options = {"max_turns": 20} if name == "i-doubt-it" else {}
    match = played(name, **options)
    analysis = analyse(match, 1, effort=QUICK)
    check(analysis)
    with ThreadPoolExecutor(2) as executor:
        assert analyse(match, 1, effort=QUICK, executor=executor) == analysis


def check(analysis: Analysis) -> None:
    """Every decision is complete, plain JSON, and the best is the best."""
    assert analysis.decisions
    json.dumps(asdict(analysis))
    for one in analysis.decisions:
        assert one.best == one.candidates[0].action
        assert one.played in [candidate.action for candidate in one.candidates]
        assert one.loss_of_worth >= 0
        least = metric_of(analysis.game).min_significant
        if one.view["phase"] == "announce":  # each announcement has a factor of its own
            assert one.loss_of_worth >= least or not one.mistake
        else:
            assert one.mistake == (one.loss_of_worth >= least * (one.view.get("factor") or 1))
        assert one.reason in REASONS


def test_a_figure_that_rounds_to_nothing_has_no_sign() -> None:
    assert metric_of("molotow").format_difference(-0.004) == "0.00"
    assert metric_of("molotow").format_difference(-0.006) == "-0.01"
