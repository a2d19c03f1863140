"""Search at I Doubt It: sampled worlds agree with the view, and decisions are sound."""

from __future__ import annotations

import dataclasses
import itertools
import json
import random
from typing import Any

import pytest

import jasstisch as jt
from jasstisch import arena
from jasstisch.bots.searching import Candidate, ClubBot, evaluate_actions
from jasstisch.bots.searching.budget import CLUB, SearchBudget
from jasstisch.bots.searching.i_doubt_it import draw_worlds
from jasstisch.bots.searching.i_doubt_it.observation import (
    observe_deal,
    rank_index,
    recent_turns,
    to_counts,
)
from jasstisch.bots.searching.i_doubt_it.policies import _CAREFUL, _RECKLESS, POLICY_TABLE
from jasstisch.engine.errors import GameError
from jasstisch.games.i_doubt_it import FULL_DECK
from jasstisch.search.games.i_doubt_it import deal_state as doubt
from tests.games.test_i_doubt_it import all_pass, lay, start, unseen
from tests.search.games.i_doubt_it_deals import PLAYERS, random_deal_match
from tests.support.example_counts import examples

QUICK = SearchBudget("club", max_deals=32, max_cards_played=0, time_limit_s=60.0)


def evaluate(match: jt.Match, seed: int = 0, effort: SearchBudget = QUICK) -> list[Candidate]:
    """The evaluated candidates of the seat to act."""
    (seat,) = match.to_act
    return evaluate_actions(match.view(seat), match.legal(seat), random.Random(seed), effort)


# Worlds.


def certain_cards(view: dict[str, Any]) -> list[set[str]]:
    """For each seat the turned-up cards that it took and has certainly not laid since."""
    surely: list[set[str]] = [set() for _ in view["players"]]
    for turn in recent_turns(view["turns"]):
        if turn["laid"] is None:
            surely[turn["seat"]] = set()
        elif turn["count"]:
            surely[turn["seat"]] -= set(turn["laid"])
        if turn["taker"] is not None:
            surely[turn["taker"]] |= set(turn["laid"])
    return surely


def check_world(view: dict[str, Any], world: doubt.Deal) -> None:
    """Asserts that a world agrees with everything in the view."""
    claim = view["claim"]
    hands = world[doubt.HANDS : doubt.HANDS + len(view["players"])].tolist()
    sizes = [sum(doubt.count_of(hand, rank) for rank in range(13)) for hand in hands]
    pile = (world[doubt.PILE : doubt.PILE + world[doubt.MIDDLE_SIZE]] % doubt.OWNER_BASE).tolist()
    opened = world[doubt.OPEN_CARDS : doubt.OPEN_CARDS + claim["count"]].tolist() if claim else []
    assert hands[view["seat"]] == to_counts(view["hand"])
    assert sizes == view["hand_sizes"] == world[doubt.HAND_SIZES :][: len(sizes)].tolist()
    assert len(pile) == view["middle"]
    assert world[doubt.CLAIM_NUMBER] == view["claims"]
    for rank in range(13):
        held = sum(doubt.count_of(hand, rank) for hand in hands)
        assert held + pile.count(rank) + opened.count(rank) == 4
    for seat, surely in enumerate(certain_cards(view)):
        least = to_counts(sorted(surely))
        assert all(doubt.count_of(hands[seat], n) >= doubt.count_of(least, n) for n in range(13))
    if claim:
        assert world[doubt.CLAIMANT] == claim["seat"]
        assert world[doubt.CLAIM_RANK] == FULL_DECK.ranks.index(claim["rank"])
    else:
        assert world[doubt.CLAIMANT] == view["seat"]


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("seed", range(5))
def test_sampled_worlds_agree_with_everything_known(players: int, seed: int) -> None:
    """Own hand, hand sizes, cards seen, and four cards of each rank."""
    last = ("three", "any")[seed % 2]
    match, player = random_deal_match(players, 10 * players + seed, last=last, max_turns=100)
    while not match.over:
        player.step(match)
        if not match.to_act:
            continue
        (seat,) = match.to_act
        view = match.view(seat)
        for world in draw_worlds(view, random.Random(seed), examples(4, 1)):
            check_world(view, world)


def test_own_laid_cards_keep_their_place_in_the_middle_of_every_world__ID4() -> None:
    match = start({1: "2C 3C 4C"})
    unseen(match, 1)
    lay(match, "3C 2C 4C")
    all_pass(match)
    lay(match)
    for seat in (3, 0):
        match.act(seat, "pass")
    for world in draw_worlds(match.view(1), random.Random(0), 20):
        pile = world[doubt.PILE : doubt.PILE + world[doubt.MIDDLE_SIZE]]
        assert (pile % doubt.OWNER_BASE).tolist()[3:] == [
            rank_index(card) for card in ("3C", "2C", "4C")
        ]
        assert (pile // doubt.OWNER_BASE).tolist() == [0] * 3 + [1] * 3


def test_drawn_cards_reveal_what_the_previous_player_laid__ID5() -> None:
    """A player who draws a two and a three laid by the previous player can tell the lie."""
    match = start({0: "4C 5C 6C 7C 8C 9C TC", 6: "2D 3D 4D 5D 6D 7D 8D"}, players=7)
    unseen(match, 13)
    lay(match, "4D 2D 3D" if "4D" in match.hand(6) else "", rank="K")
    last = match.view(6)["turns"][-1]["laid"]
    all_pass(match)
    view = match.view(0)
    assert [rank_index(card) for card in view["turns"][-1]["drawn"]] == [
        rank_index(card) for card in reversed(last[1:])
    ]
    events = observe_deal(view).events
    assert events[-1, 2:5].tolist() == [-1, *(rank_index(card) for card in last[1:])]


def test_only_recent_turns_of_a_long_deal_are_considered__ID8() -> None:
    """Every claim is doubted and the cards return to their hand, until two claims pass."""
    match = start(max_turns=400)
    for _ in range(150):
        first = match.hand(match.to_act[0])[0][0]
        lay(match, rank="2" if first != "2" else "3")
        match.act(match.to_act[0], "doubt")
    unseen(match, 2)
    view = match.view(match.to_act[0])
    assert len(view["turns"]) == 152
    assert len(observe_deal(view).events) < 60
    for world in draw_worlds(view, random.Random(1), 8):
        check_world(view, world)


def test_a_view_that_contradicts_itself_is_refused() -> None:
    """A king was turned up elsewhere, but the observer holds all four."""
    match = start({0: "2C 3D 4H", 2: "KC KD KH KS"})
    lay(match, "2C 3D 4H", rank="Q")
    match.act(1, "doubt")
    lay(match)
    view = match.view(2)
    view["turns"][0]["laid"] = ["KC", "3D", "4H"]
    with pytest.raises(GameError, match="no deal of the cards agrees with this view"):
        draw_worlds(view, random.Random(0), 4)


def test_a_player_who_answers_at_random_is_recognised_over_time() -> None:
    """Seat 1 doubts every claim without reason; seat 2 never doubts."""
    match = start({0: "2C 3C 4C 5D 6D 7D"})
    for _ in range(12):
        rank = next(r for r in FULL_DECK.ranks if sum(r in card for card in match.hand(1)) < 2)
        lay(match, rank=rank)
        while match.view(None)["claim"]:
            match.act(match.to_act[0], "doubt" if match.to_act == (1,) else "pass")
    worlds = draw_worlds(match.view(0), random.Random(0), 60)
    by_chance = [(worlds[:, doubt.POLICIES + seat] == 0).sum() for seat in (1, 2)]
    assert by_chance[0] > 2 * by_chance[1]


# Policies.


def test_policy_row_has_the_width_of_the_policy_table() -> None:
    assert len(_CAREFUL.to_row()) == len(_RECKLESS.to_row()) == POLICY_TABLE.shape[1]
    with pytest.raises(AssertionError):
        dataclasses.replace(_CAREFUL, discard_weights=(1.0, 1.0)).to_row()  # type: ignore[arg-type]


# Conduct.


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("seed", range(2))
def test_search_plays_to_the_end_with_any_house_rules(players: int, seed: int) -> None:
    last = ("three", "any")[seed]
    match, player = random_deal_match(players, seed, last=last, lie_fee=1 - seed, max_turns=24)
    while not match.over:
        if match.needs_pack or match.to_act[0] % 2:
            player.step(match)
            continue
        (seat,) = match.to_act
        view = match.view(seat)
        before = json.dumps(view)
        found = evaluate_actions(view, match.legal(seat), random.Random(seed), QUICK)
        assert json.dumps(view) == before
        assert len({one.action for one in found}) == len(found)
        assert all(one.action in match.legal(seat) for one in found)
        assert all(0 <= one.value <= 1 and one.trials > 0 for one in found)
        match.act(seat, found[0].action)


def test_same_seed_gives_same_evaluation_and_another_seed_differs() -> None:
    """Another seed gives other figures."""
    match = start()
    unseen(match, 5)
    assert evaluate(match, 1) == evaluate(match, 1)
    assert evaluate(match, 1) != evaluate(match, 2)


@pytest.mark.parametrize("seed", range(3))
def test_hidden_cards_do_not_change_the_move(seed: int) -> None:
    """The others' cards are exchanged; seat 0 sees the same and makes the same move."""
    own = {0: "2C 2D 3C 4H 5D 6H 7S 9C TD JH QS KC AD"}
    rest = [card for card in FULL_DECK.texts if card not in own[0].split()]
    actions = []
    for shuffle in range(2):
        others = random.Random(10 * seed + shuffle).sample(rest, len(rest))
        hands = {seat: " ".join(others[13 * seat - 13 : 13 * seat]) for seat in (1, 2, 3)}
        match = start(own | hands)
        found = [evaluate(match, seed)[0]]
        lay(match, "2C 2D 3C", rank="2")
        all_pass(match)
        unseen(match, 2)
        lay(match)
        found.append(evaluate(match, seed)[0])
        actions.append((match.view(0), found))
    assert actions[0] == actions[1]


def test_search_out_of_time_still_tries_every_candidate() -> None:
    """A clock that jumps ahead stops the trials, but each candidate has had some."""
    match = start()
    ticks = itertools.count(step=1000)
    hasty = dataclasses.replace(CLUB, clock=lambda: float(next(ticks)))
    found = evaluate(match, effort=hasty)
    assert {one.trials for one in found} == {8}
    assert max(one.trials for one in evaluate(match, effort=QUICK)) >= 32


# Sound decisions.


def test_last_cards_are_claimed_truthfully_to_go_out__ID6() -> None:
    """Three kings are the last cards: if the claim is true, any doubter pays."""
    match = start({0: "KC KD KH 2C 5D 7H"}, players=8)
    lay(match, "2C 5D 7H", rank="2")
    all_pass(match)
    while match.to_act != (0,):
        lay(match)
        all_pass(match)
    assert evaluate(match)[0].action == "lay KC KD KH as K"


def test_last_cards_disproved_by_own_cards_are_doubted__ID6() -> None:
    match = start({0: "9C 9D 9H 5C 6C 7C", 1: "2C 3C 4C KC KD KH"}, players=8)
    lay(match, "9C 9D 9H", rank="9")
    all_pass(match)
    unseen(match, 7)
    lay(match, "5C 6C 7C", rank="K")
    assert evaluate(match)[0].action == "doubt"


@pytest.mark.parametrize("seed", range(5))
def test_a_claim_known_to_be_true_is_not_doubted__ID3_ID6(seed: int) -> None:
    """Three kings are all that their holder has, and everybody has seen them turned up.

    So they are kings whatever else is hidden. They end the deal, and a doubter pays for six more
    cards.
    """
    match = start({1: "2C 3D 4H KC KD KH"}, players=8)
    for seat in range(8):
        lay(match, "2C 3D 4H" if seat == 1 else "")
        all_pass(match)
    for seat in range(8):
        lay(match, rank="Q" if seat == 1 else "2")
        match.act((seat + 1) % 8, "doubt")
    unseen(match, 1)
    assert set(match.hand(1)) == {"KC", "KD", "KH"}
    lay(match, "KC KD KH", rank="K")
    found = {one.action: one for one in evaluate(match, seed)}
    assert found["pass"].figure == -3
    assert found["doubt"].figure == -9
    assert found["pass"].value > found["doubt"].value


def test_a_lie_names_a_rank_that_others_can_hardly_disprove() -> None:
    match = start({0: "KC KD KH KS 2C 3D 4H 5C 6D 7H 8C 9D TH"})
    lies = [one.action for one in evaluate(match, effort=CLUB) if one.action[-1] == "K"]
    assert lies
    assert all(not action.startswith("lay KC KD KH KS") for action in lies)


class Unhurried(ClubBot):
    """Club, with time enough on the busiest machine."""

    budget = dataclasses.replace(CLUB, time_limit_s=60.0)


def test_club_beats_greedy() -> None:
    """It wins about three quarters of the deals against three greedy; a quarter is chance."""
    table = arena.contest(jt.game("i-doubt-it"), [Unhurried(), "greedy", "greedy", "greedy"])
    club = arena.run(table, deals=2, seed=3)["bots"][0]
    assert club["wins"] > 0.4
    assert club["mean"] > 10


def test_observed_deal_starts_with_the_dealt_hand_sizes_and_surplus__ID1() -> None:
    """Hands of equal size, and the surplus in the middle, for any number of players."""
    for players in PLAYERS:
        match = start(players=players)
        known = observe_deal(match.view(match.to_act[0]))
        assert known.initial_deal[doubt.HAND_SIZES] == 52 // players
        assert known.initial_deal[doubt.MIDDLE_SIZE] == 52 % players
