"""The bridge to pyschieber: its players hear what their own game tells them, ours see their view.

Whatever is not the same in both games ends the deal.
"""

import random
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from pyschieber.game import Game
from pyschieber.team import Team

from bench.peers import pyschieber_adapter
from bench.peers.pyschieber_adapter import (
    OUR_CARDS,
    OUR_CONTRACTS,
    THEIR_CARDS,
    AdapterError,
    ChoiceGenerator,
    play_table,
)
from jasstisch.bots import View, bot
from jasstisch.engine.cards import JASS, shuffled
from jasstisch.engine.tricks import ALL_POINTS
from jasstisch.games.contracts import PARTNERS, PUSH
from tests.support.example_counts import examples

DEALS = examples(12, 4)


@dataclass
class ScriptedBot:
    """Plays scripted actions, and records its views.

    Attributes:
        script: for each seat its actions to come; without one it plays the first that is legal.
        views: what each seat was shown.
    """

    script: Mapping[int, deque[str]] = field(default_factory=dict)
    views: list[View] = field(default_factory=list)
    name: str = "scripted"

    def act(self, view: View, legal: Sequence[str], rng: random.Random) -> str:
        self.views.append(view)
        if view["seat"] in self.script:
            return self.script[view["seat"]].popleft()
        return legal[0]


class RecordingPlayer:
    """A player of pyschieber whose choices are recorded in our notation."""

    def __init__(self, seat: int) -> None:
        self.said: list[str] = []
        self.player = pyschieber_adapter.challenge_player(seat)
        self.player.choose_trumpf = self.noting(
            self.player.choose_trumpf, lambda trumpf: OUR_CONTRACTS[trumpf.name]
        )
        self.player.choose_card = self.noting(
            self.player.choose_card, lambda card: f"play {OUR_CARDS[card]}"
        )

    def noting(
        self, choose: Callable[..., Any], written: Callable[[Any], str]
    ) -> Callable[..., ChoiceGenerator]:
        """A choice function that records its results."""

        def chosen(*given: object, **named: object) -> ChoiceGenerator:
            choosing = choose(*given, **named)
            choice = next(choosing)
            self.said.append(written(choice))
            accepted = yield choice
            yield choosing.send(accepted)

        return chosen


def their_own_game(pack: Sequence[str]) -> tuple[list[RecordingPlayer], list[int], Any]:
    """Four players of pyschieber among themselves: their choices, the points and the game."""
    noted = [RecordingPlayer(seat) for seat in range(4)]
    teams = [Team(players=[noted[seat].player for seat in seats]) for seats in PARTNERS]
    game = Game(teams=teams, use_counting_factor=False)
    hands = [pack[start : start + 3] for start in range(0, 36, 3)]
    dealt = [[card for packet in hands[seat::4] for card in packet] for seat in range(4)]
    game.dealer.deck.cards = [
        THEIR_CARDS[card] for turn in zip(*dealt, strict=True) for card in turn
    ]
    game.dealer.shuffle_cards = lambda: None
    game.play(start_player_index=0, whole_rounds=True)
    return noted, [team.points for team in teams], game


@pytest.mark.parametrize("side", [0, 1])
def test_their_players_play_as_in_their_own_game_against_the_same_cards(
    side: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where ours do as two of theirs did, the other two do as they did, whichever side is ours.

    A player of pyschieber that does not know what to play draws a card; here it takes the first, so
    that both games need the same chance.
    """
    monkeypatch.setattr(random, "choice", lambda cards: cards[0])
    pushed = 0
    for number in range(DEALS):
        pack = shuffled(JASS.texts, random.Random(f"1/{number}/packs"))
        noted, points, game = their_own_game(pack)
        script = {seat: deque(noted[seat].said) for seat in PARTNERS[side]}
        match = play_table(ScriptedBot(script), 1, number, side)
        assert not any(script.values()), "all that was said there is said here"
        (played,) = match.rounds
        assert played["points"][:2] == points
        assert played["contract"] == OUR_CONTRACTS[game.trumpf.name]
        assert played["pushed"] == game.geschoben
        for seat in range(4):
            said = [action for actor, action in match.record()["log"] if actor == seat]
            assert said == noted[seat].said
        pushed += played["pushed"]
    assert 0 < pushed < DEALS


@pytest.mark.parametrize("side", [0, 1])
def test_our_bots_are_asked_in_turn_with_their_own_view(side: int) -> None:
    player = ScriptedBot()
    match = play_table(player, 3, 0, side)
    cards = [view for view in player.views if view["phase"] == "play"]
    assert len(cards) == 18
    assert {view["seat"] for view in player.views} == set(PARTNERS[side])
    for view in cards:
        assert view["to_act"] == [view["seat"]]
        assert len(view["hand"]) == 9 - len(view["tricks"])
        assert view["contract"] == match.rounds[0]["contract"]
    assert {view["phase"] for view in player.views} == {"play"} | (
        {"announce"} if side == 0 else set()
    )


def test_after_a_push_the_partner_announces_and_forehand_leads() -> None:
    """Our bots push by script; the partner is asked once and can only name a contract."""
    script = {0: deque([PUSH]), 2: deque(["bottoms"])}
    player = Half(script)
    (played,) = play_table(player, 1, 0, 0).rounds
    assert (played["contract"], played["by"], played["pushed"]) == ("bottoms", 2, True)
    assert played["tricks"][0]["leader"] == 0


@dataclass
class Half(ScriptedBot):
    """Announces by a script and plays the first card that is legal."""

    def act(self, view: View, legal: Sequence[str], rng: random.Random) -> str:
        if view["phase"] == "announce":
            assert (PUSH in legal) == (view["seat"] == 0)
            return self.script[view["seat"]].popleft()
        return legal[0]


@pytest.mark.parametrize("side", [0, 1])
def test_a_deal_has_157_points_and_is_reproducible(side: int) -> None:
    player = bot("random")
    before = random.getstate()
    first = play_table(player, 5, 2, side)
    assert random.getstate() == before, "the chance of others is left as it was"
    random.random()
    assert play_table(player, 5, 2, side).record() == first.record()
    assert sum(first.rounds[0]["points"][:2]) == ALL_POINTS
    assert play_table(player, 6, 2, side).record()["log"][0] != first.record()["log"][0]


def test_both_sides_get_the_same_cards_and_forehand() -> None:
    tables = [play_table(bot("random"), 1, 4, side) for side in (0, 1)]
    assert tables[0].record()["log"][0] == tables[1].record()["log"][0]
    assert [table.rounds[0]["tricks"][0]["leader"] for table in tables] == [0, 0]


class FailingBot:
    """Raises an error at every move."""

    name = "failing"

    def act(self, view: View, legal: Sequence[str], rng: random.Random) -> str:
        raise ZeroDivisionError("lost")


def test_a_failing_bot_is_named_with_the_deal() -> None:
    words = r"deal 7 of seed 1, failing as side 1, failed: ZeroDivisionError: lost"
    with pytest.raises(AdapterError, match=words):
        play_table(FailingBot(), 1, 7, 1)


@pytest.mark.parametrize("action", ["play 6C", "slalom tops"])
def test_an_action_illegal_in_our_game_ends_the_deal(action: str) -> None:
    with pytest.raises(AdapterError, match="IllegalAction"):
        play_table(Half({0: deque([action])}), 1, 0, 0)


def test_a_card_that_pyschieber_refuses_ends_the_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyschieber.game.card_allowed", lambda **_: False)
    with pytest.raises(AdapterError, match=r"pyschieber refuses <.*>, which is legal in our game"):
        play_table(bot("random"), 1, 0, 0)


def test_different_points_in_the_two_games_end_the_deal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played_out = pyschieber_adapter.play_in_pyschieber

    def wrong(*given: Any) -> list[int]:
        return [points + 1 for points in played_out(*given)]

    monkeypatch.setattr(pyschieber_adapter, "play_in_pyschieber", wrong)
    with pytest.raises(
        AdapterError, match=r"pyschieber counts \[\d+, \d+\], our game \[\d+, \d+\]"
    ):
        play_table(bot("random"), 1, 0, 0)
