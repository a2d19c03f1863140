"""Analysis of finished rounds: which decisions, at what cost, and where it runs."""

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

QUICK = SearchBudget("analysis", max_deals=8, max_cards_played=0, time_limit_s=float("inf"))


def played(name: str, rounds: int = 1, seed: int = 1, **options: Any) -> jt.Match:
    """A match of random play, of so many rounds or to its end."""
    rng = random.Random(seed)
    match = jt.Match(jt.game(name, **options))
    while not match.over and len(match.rounds) < rounds:
        match_builders.step(match, rng)
    return match


@pytest.fixture
def random_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Evaluates actions randomly, so that a round is cheap."""
    monkeypatch.setattr(under_test, "evaluate_actions", random_search)


def decisions(match: jt.Match, **asked: Any) -> Iterator[Any]:
    yield from analyse(match, **asked).decisions


# The decisions that are analysed.


def test_best_card_and_cost_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """All cards are worth nothing except one that forehand could have led."""
    match = played("differenzler")
    seat, action = next(entry for entry in match.record()["log"] if entry[1].startswith("play"))
    hand = sorted(
        trick["cards"][(seat - trick["leader"]) % 4] for trick in match.rounds[0]["tricks"]
    )
    best = next(f"play {card}" for card in hand if f"play {card}" != action)
    monkeypatch.setattr(under_test, "evaluate_actions", fixed_search({best: 12.5}))
    first = next(one for one in decisions(match, seat=seat) if one.trick == 1)
    assert (first.played, first.best, first.loss, first.mistake) == (action, best, 12.5, True)


@pytest.mark.usefixtures("random_values")
def test_exactly_the_choices_of_the_round_are_analysed() -> None:
    match = played("differenzler", rounds=2)
    choices = [
        (step, view["seat"], action)
        for step, view, action, legal in replayed(match)
        if len(legal) > 1
    ]
    assert [(one.step, one.seat, one.played) for one in decisions(match)] == choices


def replayed(match: jt.Match) -> Iterator[tuple[int, dict[str, Any], str, list[str]]]:
    """The actions of a match with the views and legal actions of each."""
    again = jt.Match(match.game)
    for step, (who, what) in enumerate(match.record()["log"], start=1):
        if who == "pack":
            again.deal(what)
        else:
            yield step, again.view(who), what, list(again.legal(who))
            again.act(who, what)


@pytest.mark.usefixtures("random_values")
def test_the_analysis_can_be_limited_to_a_round_and_a_seat() -> None:
    match = played("molotow", rounds=3)
    assert {one.round for one in decisions(match)} == {1, 2, 3}
    assert {(one.round, one.seat) for one in decisions(match, round=2, seat=3)} == {(2, 3)}
    assert analyse(match, 2).rounds == (2,)


def test_the_played_action_is_a_candidate_even_if_the_search_left_it_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of thousands of lays only few are searched, but always the one played."""
    monkeypatch.setattr(under_test, "evaluate_actions", random_search)
    for one in decisions(played("i-doubt-it", max_turns=20 * 4, seed=4)):
        assert one.played in [candidate.action for candidate in one.candidates]


def test_rarely_tried_actions_are_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_an_action_abandoned_early_is_not_best_by_few_lucky_trials(
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


@pytest.mark.usefixtures("random_values")
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
def test_following_a_hint_in_the_last_tricks_is_no_mistake(name: str, seed: int) -> None:
    match = played(name, seed=seed)
    views = {step: view for step, view, *_ in replayed(match)}
    for one in decisions(match, effort=replace(THOROUGH, max_deals=128)):
        if one.trick <= 9 - ADVICE.max_solved_cards:
            continue
        values = {candidate.action: candidate.value for candidate in one.candidates}
        told = hint(views[one.step], list(values), random.Random(1)).action
        assert max(values.values()) - values[told] < metric_of(name).min_significant


# Invalid requests.


@pytest.mark.usefixtures("random_values")
def test_an_unfinished_round_is_refused() -> None:
    match = played("molotow", rounds=2)
    rng = random.Random(1)
    for _ in range(12):
        match_builders.step(match, rng)
    with pytest.raises(GameError, match="round 3 is not finished; the finished rounds are 1 to 2"):
        analyse(match, 3)
    for wrong in (0, -1, 9, True, "1"):
        with pytest.raises(GameError, match="is not finished"):
            analyse(match, wrong)  # type: ignore[arg-type]


@pytest.mark.usefixtures("random_values")
def test_the_current_round_of_a_running_match_is_left_out() -> None:
    match = played("molotow", rounds=2)
    rng = random.Random(1)
    for _ in range(12):
        match_builders.step(match, rng)
    assert analyse(match).rounds == (1, 2)
    assert {one.round for one in decisions(match)} == {1, 2}


def test_before_the_end_of_the_first_round_analysis_is_refused() -> None:
    with pytest.raises(GameError, match="no round of this match is finished"):
        analyse(played("molotow", rounds=0))


@pytest.mark.usefixtures("random_values")
def test_void_deals_are_not_analysed__MV7() -> None:
    dealt = (played("molotov", seed=seed, players=3, no_trump="annul") for seed in range(500))
    match = next(one for one in dealt if packs_of(one) > 2)
    packs = [step for step, (who, _) in enumerate(match.record()["log"]) if who == "pack"]
    assert all(one.step > packs[-1] for one in decisions(match))


def packs_of(match: jt.Match) -> int:
    """The number of packs a match used: one for the draw, one for each deal."""
    return sum(who == "pack" for who, _ in match.record()["log"])


def test_an_unknown_seat_is_refused() -> None:
    with pytest.raises(GameError, match="no seat 4; the seats are 0 to 3"):
        analyse(played("molotow"), seat=4)


def test_an_invalid_record_is_refused() -> None:
    record = played("molotow").record()
    record["log"][3][1] = "play XX"
    with pytest.raises(RecordError, match="step 4"):
        analyse(record)


# Executors, progress and totals.


@pytest.mark.usefixtures("random_values")
def test_the_result_does_not_depend_on_the_executor() -> None:
    match = played("molotov", rounds=2)
    here = analyse(match)
    with ThreadPoolExecutor(3) as executor:
        assert analyse(match.record(), executor=executor) == here
    assert analyse(match, seed=1) != here


@pytest.mark.usefixtures("random_values")
def test_a_round_analysed_alone_gives_the_same_result() -> None:
    match = played("molotov", rounds=3)
    among = [one for one in decisions(match) if one.round == 2]
    assert list(decisions(match, round=2)) == among


@pytest.mark.usefixtures("random_values")
def test_progress_reaches_the_last_decision() -> None:
    match = played("molotov")
    heard: list[tuple[int, int]] = []
    analysis = analyse(match, progress=lambda done, total: heard.append((done, total)))
    total = len(analysis.decisions)
    assert heard == [(done, total) for done in range(total + 1)]


@pytest.mark.usefixtures("random_values")
def test_losses_add_up_for_each_player() -> None:
    analysis = analyse(played("differenzler", rounds=2))
    for seat, lost in enumerate(analysis.lost):
        own = [one.loss for one in analysis.decisions if one.seat == seat and one.mistake]
        assert lost == pytest.approx(sum(max(0.0, loss) for loss in own), abs=1e-3)


@pytest.mark.parametrize("name", match_builders.ALL_GAMES)
def test_every_game_can_be_analysed(name: str) -> None:
    """With little effort, from deal to score, inline and on two threads."""
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


def test_a_figure_rounded_to_zero_has_no_sign() -> None:
    assert metric_of("molotow").format_difference(-0.004) == "0.00"
    assert metric_of("molotow").format_difference(-0.006) == "-0.01"
