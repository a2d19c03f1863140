"""Requirements of every bot: it plays legal actions, from its view alone, and repeatably."""

import json
import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

import jasstisch as jt
from jasstisch.bots import Bot
from jasstisch.bots.greedy import GreedyBot
from tests.rules import match_builders

NAMES = ("random", "greedy")
TRICK_GAMES = (*match_builders.JASS_GAMES, *match_builders.CONTRACT_GAMES)
KINDS = [kind for kind in match_builders.ALL_KINDS if kind[0] in TRICK_GAMES]
MATCHES = 6


class Watched:
    """A bot whose every move is checked."""

    def __init__(self, inner: Bot) -> None:
        self.inner = inner
        self.name = inner.name
        self.moves: list[str] = []

    def act(self, view: Mapping[str, Any], legal: Sequence[str], rng: random.Random) -> str:
        before = json.dumps(view)
        action = self.inner.act(view, legal, rng)
        assert action in legal
        assert json.dumps(view) == before, "the view has been changed"
        self.moves.append(action)
        return action


def random_options(name: str, players: int, rng: random.Random) -> dict[str, Any]:
    """A choice of all options, among them the shortest match there is."""
    options = {key: rng.choice(values) for key, values in match_builders.OPTIONS[name].items()}
    options["players"] = players
    options["dealer"] = rng.choice([None, *range(players)])
    return options | match_builders.SHORT[name]


def play(match: jt.Match, seats: Sequence[Bot], rng: random.Random, rounds: int = 4) -> None:
    """Plays a match to its end, or some rounds of it; a random one of the seats to act acts."""
    while not match.over and len(match.rounds) < rounds:
        if match.needs_pack:
            match.deal(match_builders.shuffled(match, rng))
        else:
            seat = rng.choice(match.to_act)
            match.act(seat, seats[seat].act(match.view(seat), match.legal(seat), rng))


@pytest.mark.parametrize("bot", NAMES)
@pytest.mark.parametrize(("name", "players"), KINDS)
@pytest.mark.parametrize("seed", range(MATCHES))
def test_every_move_is_legal_and_leaves_the_view_alone(
    name: str, players: int, bot: str, seed: int
) -> None:
    """In matches with any options and with any mixture of players at the table."""
    rng = random.Random(f"{name} {players} {bot} {seed}")
    game = jt.game(name, **random_options(name, players, rng))
    watched = Watched(jt.bot(bot))
    others = [watched, jt.bot("random"), jt.bot("greedy")]
    seats = [watched, *(rng.choice(others) for _ in range(players - 1))]
    play(jt.Match(game), seats, rng)
    assert watched.moves


@pytest.mark.parametrize("bot", NAMES)
@pytest.mark.parametrize(("name", "players"), KINDS)
def test_same_seed_gives_same_match(name: str, players: int, bot: str) -> None:
    records = []
    for _ in range(2):
        match = jt.Match(jt.game(name, players=players))
        play(match, [jt.bot(bot)] * players, random.Random(7), rounds=1)
        records.append(match.record())
    assert records[0] == records[1]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("name", "players"), match_builders.KINDS)
def test_hidden_cards_do_not_matter(name: str, players: int, seed: int) -> None:
    """Two deals that differ only in the others' cards: forehand makes the same move in both."""
    rng = random.Random(seed)
    hands = match_builders.random_hands(players, rng)
    moves: list[str] = []
    for other in (hands, [hands[0], *hands[:0:-1]]):
        match = match_builders.start(name, other)
        if match.needs_pack:
            match.deal(match_builders.ordered("AC"))
        moves.append(jt.bot("greedy").act(match.view(0), match.legal(0), random.Random(len(moves))))
    assert moves[0] == moves[1]


def test_view_received_as_json_gives_the_same_move() -> None:
    match = jt.Match(jt.game("molotov"))
    rng = random.Random(3)
    greedy = jt.bot("greedy")
    while len(match.rounds) < 1:
        if match.needs_pack:
            match.deal(match_builders.shuffled(match, rng))
            continue
        (seat,) = match.to_act
        view, legal = match.view(seat), list(match.legal(seat))
        received = json.loads(json.dumps(view))
        action = greedy.act(received, legal, rng)
        assert action == greedy.act(view, legal, rng)
        match.act(seat, action)


def test_greedy_supports_all_trick_taking_games() -> None:
    assert set(TRICK_GAMES) <= set(GreedyBot().games)


def test_greedy_refuses_an_unsupported_game_and_names_the_supported_ones() -> None:
    with pytest.raises(
        jt.GameError,
        match=r"greedy cannot play halma; it plays coiffeur, differenzler, .*jass, mol",
    ):
        GreedyBot().act({"game": "halma"}, ["play JC"], random.Random(0))


def test_random_bot_takes_every_legal_action_in_time() -> None:
    rng = random.Random(1)
    bot = jt.bot("random")
    assert {bot.act({}, ["a", "b", "c"], rng) for _ in range(100)} == {"a", "b", "c"}
