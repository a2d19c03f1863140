"""Conduct of the searching bots: they use only the view, keep to their time, and are repeatable.

With small budgets, for none of this depends on the budget.
"""

import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from threading import Event
from typing import Any

import pytest

import jasstisch as jt
from jasstisch.bots.searching import (
    Candidate,
    ClubBot,
    MasterBot,
    SearchBudget,
    evaluate_actions,
    prepare,
    warmup,
)
from jasstisch.bots.searching.budget import CLUB, MASTER
from jasstisch.bots.searching.registry import SEARCHERS, supported_games
from jasstisch.bots.searching.warmup import prepare_game
from tests.rules import match_builders

EFFORTS = (
    replace(CLUB, max_deals=6, time_limit_s=60.0),
    replace(MASTER, max_deals=6, max_cards_played=1000, time_limit_s=60.0),
)
each_effort = pytest.mark.parametrize("effort", EFFORTS, ids=[one.name for one in EFFORTS])


def evaluate(match: jt.Match, seat: int, effort: SearchBudget, seed: int) -> list[Candidate]:
    return evaluate_actions(match.view(seat), match.legal(seat), random.Random(seed), effort)


@each_effort
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("name", "players"), match_builders.KINDS)
def test_whole_matches_are_played_by_the_rules(
    name: str, players: int, seed: int, effort: SearchBudget
) -> None:
    """With random options; candidates are legal actions, the best first."""
    rng = random.Random(seed)
    options = {key: rng.choice(values) for key, values in match_builders.OPTIONS[name].items()}
    options |= match_builders.SHORT[name] | {"players": players, "dealer": rng.randrange(players)}
    match = jt.Match(jt.game(name, **options))
    while not match.over and len(match.rounds) < 2:
        if match.needs_pack:
            match.deal(match_builders.shuffled(match, rng))
            continue
        (seat, *_) = match.to_act
        found = evaluate(match, seat, effort, rng.randrange(1000))
        assert {one.action for one in found} <= set(match.legal(seat))
        assert [one.value for one in found] == sorted([one.value for one in found], reverse=True)
        match.act(seat, found[0].action)


@each_effort
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("name", "players"), match_builders.KINDS)
def test_hidden_cards_and_bids_do_not_matter(
    name: str, players: int, seed: int, effort: SearchBudget
) -> None:
    """The hands of the others change seats; the evaluation of the first card stays the same."""
    rng = random.Random(seed)
    hands = match_builders.random_hands(players, rng)
    found = []
    for others in (hands[1:], hands[:0:-1]):
        match = opened(name, [hands[0], *others])
        found.append(evaluate(match, 0, effort, seed))
    assert found[0] == found[1]


@each_effort
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("name", "players"), match_builders.KINDS)
def test_hidden_cards_do_not_matter_in_the_middle_of_a_round(
    name: str, players: int, seed: int, effort: SearchBudget
) -> None:
    """Cards still held by the others change hands, such that all plays were legal.

    At Differenzler their secret bids change too.
    """
    rng = random.Random(f"{name} {players} {seed}")
    match = opened(name, match_builders.random_hands(players, rng))
    actions: list[str] = []
    while not (len(match.view(0)["tricks"]) >= 2 and match.to_act == (0,)):
        (seat,) = match.to_act
        actions.append(rng.choice(match.legal(seat)))
        match.act(seat, actions[-1])
    other = redeal_hidden_cards(name, match, actions, rng)
    assert other.view(0) == match.view(0)
    assert [other.view(seat)["hand"] for seat in range(1, players)] != [
        match.view(seat)["hand"] for seat in range(1, players)
    ]
    assert evaluate(match, 0, effort, seed) == evaluate(other, 0, effort, seed)


def redeal_hidden_cards(
    name: str, match: jt.Match, actions: Sequence[str], rng: random.Random
) -> jt.Match:
    """The same round with the cards that the others still hold redealt among them."""
    views = [match.view(seat) for seat in range(match.game.players)]
    played: list[list[str]] = [[] for _ in views]
    for seat, card in seen_plays(views[0]):
        played[seat].append(card)
    held = [card for view in views[1:] for card in view["hand"]]
    while True:
        rng.shuffle(held)
        left, hands = list(held), [played[0] + views[0]["hand"]]
        for view, cards in zip(views[1:], played[1:], strict=True):
            hands.append(cards + [left.pop() for _ in view["hand"]])
        other = opened(name, hands)
        try:
            for action in actions:
                other.act(other.to_act[0], action)
        except jt.IllegalAction:
            continue  # a play would have been illegal
        if views[1:] != [other.view(seat) for seat in range(1, len(views))]:
            return other


def seen_plays(view: dict[str, Any]) -> list[tuple[int, str]]:
    """The seat and the card of every play, in order."""
    players = len(view["players"])
    plays = [
        ((trick["leader"] + place) % players, card)
        for trick in view["tricks"]
        for place, card in enumerate(trick["cards"])
    ]
    return plays + [(seat, card) for seat, card in view["trick"]]


def opened(name: str, hands: Sequence[Sequence[str]]) -> jt.Match:
    """A match in which seat 0 leads the first card; bids of the others depend on their hands."""
    match = match_builders.start(name, hands)
    if match.needs_pack:
        match.deal(match_builders.ordered("AC"))
        for seat, hand in enumerate(hands):
            match.act(seat, f"bid {len(' '.join(hand).split('C')) * 7}" if seat else "bid 30")
    return match


@each_effort
@pytest.mark.parametrize("name", match_builders.GAMES)
def test_same_seed_gives_same_evaluation_and_another_seed_differs(
    name: str, effort: SearchBudget
) -> None:
    match = opened(name, match_builders.random_hands(4, random.Random(1)))
    assert evaluate(match, 0, effort, 5) == evaluate(match, 0, effort, 5)
    assert evaluate(match, 0, effort, 5) != evaluate(match, 0, effort, 6)


@pytest.mark.parametrize("name", match_builders.GAMES)
@pytest.mark.parametrize("phase", ["bid", "play"])
@each_effort
def test_a_search_ends_when_its_time_is_over(name: str, phase: str, effort: SearchBudget) -> None:
    """The clock advances a second with each reading: after three readings the move is made."""
    seconds = iter(range(1000))
    hurried = replace(
        effort,
        max_deals=4096,
        max_cards_played=300_000,
        time_limit_s=2.0,
        clock=lambda: next(seconds),
    )
    match = opened(name, match_builders.random_hands(4, random.Random(1)))
    if phase == "bid" and name == "differenzler":
        match = match_builders.start(name, match_builders.random_hands(4, random.Random(1)))
        match.deal(match_builders.ordered("AC"))
    found = evaluate(match, 0, hurried, 1)
    assert found
    assert next(seconds) <= 4


@each_effort
@pytest.mark.parametrize("name", supported_games())
def test_the_only_legal_action_is_returned_without_search(name: str, effort: SearchBudget) -> None:
    view: dict[str, Any] = {"game": name}
    (only,) = evaluate_actions(view, ["play 6H"], random.Random(1), effort)
    assert (only.action, only.trials) == ("play 6H", 0)


@pytest.mark.parametrize("name", match_builders.GAMES)
def test_every_legal_card_is_evaluated_even_a_bad_one__master(name: str) -> None:
    """Hints and analyses need the outcome of the other cards, too."""
    match = opened(name, match_builders.random_hands(4, random.Random(1)))
    found = evaluate_actions(match.view(0), match.legal(0), random.Random(1), MASTER)
    assert {one.action for one in found} == set(match.legal(0))
    assert min(one.trials for one in found) >= 4


@pytest.mark.parametrize("kind", [ClubBot, MasterBot])
def test_players_play_their_best_candidate(kind: type[ClubBot | MasterBot]) -> None:
    player = kind().without_clock()
    match = opened("molotov", match_builders.random_hands(4, random.Random(1)))
    best = evaluate(match, 0, player.budget, 3)[0].action
    assert player.act(match.view(0), match.legal(0), random.Random(3)) == best
    assert player.name == player.budget.name


@pytest.mark.parametrize("name", ["club", "master"])
def test_unsupported_game_is_refused_with_the_supported_ones(name: str) -> None:
    with pytest.raises(
        jt.GameError, match=rf"{name} cannot play halma; it plays coiffeur, differenzler, "
    ):
        jt.bot(name).act({"game": "halma"}, ["play 6H"], random.Random(0))


def test_prepare_reports_its_progress() -> None:
    reports: list[tuple[str, int, int]] = []
    prepare(lambda game, done, total: reports.append((game, done, total)))
    assert reports == [
        (game, done, len(supported_games())) for done, game in enumerate(supported_games())
    ]


def test_failed_preparation_is_retried(monkeypatch: pytest.MonkeyPatch) -> None:
    failing = iter([True, False])

    def play(_: jt.Game) -> None:
        if next(failing):
            raise MemoryError

    monkeypatch.setattr(warmup, "_prepared_games", set())
    monkeypatch.setattr(warmup, "_play_warmup_round", play)
    with pytest.raises(MemoryError):
        prepare_game("molotov")
    prepare_game("molotov")
    prepare_game("molotov")
    assert list(failing) == []


def test_a_second_thread_waits_while_a_game_is_prepared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, go_on, played = Event(), Event(), []

    def play(game: jt.Game) -> None:
        begun.set()
        go_on.wait(60)
        played.append(game.name)

    monkeypatch.setattr(warmup, "_prepared_games", set())
    monkeypatch.setattr(warmup, "_play_warmup_round", play)
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(prepare_game, "molotov")
        begun.wait(60)
        second = threads.submit(prepare_game, "molotov")
        assert not wait([second], timeout=0.05).done
        go_on.set()
        first.result()
        second.result()
    assert played == ["molotov"]


def test_compilation_is_done_before_the_clock_of_a_move_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Everything to compile or load is ready before the clock of a move starts."""
    order: list[str] = []
    monkeypatch.setattr(warmup, "_prepared_games", set())
    monkeypatch.setattr(
        warmup, "_play_warmup_round", lambda game: order.append(f"ready {game.name}")
    )

    def think(*_: object) -> list[Candidate]:
        order.append("think")
        return []

    monkeypatch.setitem(SEARCHERS, "molotov", think)
    for _ in range(2):
        evaluate_actions({"game": "molotov"}, ["play 6H", "play 7H"], random.Random(1), CLUB)
    assert order == ["ready molotov", "think", "think"]
