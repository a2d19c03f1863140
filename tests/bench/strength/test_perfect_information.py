"""The perfect-information bot: it searches the true deal, and its result is printed."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

import jasstisch as jt
from bench.strength import perfect_information
from jasstisch.bots import Bot, View, bot, searching
from jasstisch.bots.searching.budget import CLUB, Candidate
from jasstisch.bots.searching.root_state import RootState
from jasstisch.engine.cards import JASS, card_set
from jasstisch.search.nets import policy
from jasstisch.search.rounds import round_state
from tests.rules import match_builders


def test_every_sampled_deal_is_the_true_one() -> None:
    match = match_builders.differenzler(
        match_builders.random_hands(4, random.Random(1)), "H", [10, 20, 30, 40]
    )
    match_builders.play(match, [match.hand(0)[0]])
    deals = perfect_information.true_deals(match, RootState(match.view(1)), 3, policy.HEURISTIC)
    assert len(deals) == 3
    for deal in deals:
        manners = [round_state.policy_index(deal, seat) for seat in range(4)]
        assert manners == [policy.HEURISTIC, policy.LEARNED, policy.HEURISTIC, policy.HEURISTIC]
        assert list(deal[round_state.TARGET : round_state.TARGET + 4]) == [10, 20, 30, 40]
        for seat in (1, 2, 3):
            hand = card_set([JASS.numbers[text] for text in match.hand(seat)])
            assert deal[round_state.HANDS + seat] == hand


def test_it_plays_a_card_that_only_hidden_hands_justify() -> None:
    """Whether the last heart is out of play is unknown to honest players."""
    hands = [["AH", "6C"], ["7H", "7C"], ["8H", "8C"], ["9S", "9C"]]
    weighed = []
    for swap in (False, True):
        dealt = [list(hand) for hand in hands]
        if swap:
            dealt[3][0], dealt[1][0] = dealt[1][0], dealt[3][0]
        match = ending(dealt)
        effort = replace(CLUB, max_deals=8, time_limit_s=60.0)
        rng = random.Random(1)
        weighed.append(
            perfect_information.evaluate_with_perfect_information(
                match, 0, rng, effort, policy.LEARNED
            )
        )
    assert weighed[0] != weighed[1]


def ending(last: list[list[str]]) -> jt.Match:
    """A round of Differenzler with two tricks left, led by seat 0, spades trump."""
    used = {card for hand in last for card in hand}
    rest = [card for card in JASS.texts if card not in used]
    rng = random.Random(7)
    while True:
        rng.shuffle(rest)
        hands = [rest[seat * 7 : seat * 7 + 7] + last[seat] for seat in range(4)]
        match = match_builders.differenzler(hands, "S", [20, 0, 0, 0])
        while len(match.view(0)["tricks"]) < 7:
            (seat,) = match.to_act
            free = [play for play in match.legal(seat) if play[-2:] not in last[seat]]
            if not free:
                break
            match.act(seat, rng.choice(free))
        if len(match.view(0)["tricks"]) == 7 and match.to_act == (0,):
            return match


def test_its_result_is_printed_beside_that_of_an_opponent(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["molotov", "--company", "greedy", "--effort", "club", "master", "--deals", "2"]
    monkeypatch.setattr("sys.argv", ["ceiling", *words])
    assert perfect_information.main() == 0
    _, _, first, second, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith("| molotov | 3 greedy | club | ")
    assert second.startswith("| molotov | 3 greedy | master | ")


@pytest.mark.parametrize(("game", "better"), [("molotov", "10.00"), ("molotow", "−10.00")])
def test_better_means_less_or_more_depending_on_the_game(
    monkeypatch: pytest.MonkeyPatch, game: str, better: str
) -> None:
    def played(
        _game: jt.Game, number: int, _company: Bot, _chair: int, effort: object, _sees: str = ""
    ) -> float:
        return float(number + (10 if effort is None else 0))

    monkeypatch.setattr(perfect_information, "play_deal", played)
    (cells,) = perfect_information.rows(game, bot("greedy"), [CLUB], 3, ["always"])
    assert cells[-1] == f"{better} ± 0.00"


@pytest.mark.parametrize("sees", perfect_information.REVEALED_PHASES)
def test_it_sees_all_hands_in_the_chosen_phases_only(
    monkeypatch: pytest.MonkeyPatch, sees: str
) -> None:
    all_seen, honest = Counter[str](), Counter[str]()

    def with_all_seen(match: jt.Match, seat: int, *_: object) -> list[Candidate]:
        all_seen[match.view(seat)["phase"]] += 1
        return [Candidate(match.legal(seat)[0], 0.0, 0.0, 0)]

    def without(view: View, legal: Sequence[str], *_: object) -> list[Candidate]:
        honest[view["phase"]] += 1
        return [Candidate(legal[0], 0.0, 0.0, 0)]

    monkeypatch.setattr(perfect_information, "evaluate_with_perfect_information", with_all_seen)
    monkeypatch.setattr(searching, "evaluate_actions", without)
    perfect_information.play_deal(jt.game("differenzler"), 1, bot("greedy"), 2, CLUB, sees)
    assert set(all_seen) == set(perfect_information.REVEALED_PHASES[sees])
    assert all_seen + honest == {"bid": 1, "play": 9}
