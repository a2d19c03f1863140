"""An adapter for our bots in the Schieber of pyschieber, against its `ChallengePlayer`.

The game is pyschieber's own: it asks for contracts, notifies its players, and scores. Both seats of
one side are ours and look like its own players. They mirror everything in a match of our Schieber
with the same rules, and our bots see their views of that match and nothing else. So every card must
be legal in both games, and both must score the same; otherwise the deal fails with an error, and
nothing is measured.
"""

import random
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

import jasstisch as jt
from bench.strength.perfect_information import PerfectInformationPlayer
from jasstisch.arena.duplicate_boards import MoveTimer
from jasstisch.bots import Bot
from jasstisch.engine.cards import JASS, shuffled
from jasstisch.engine.errors import shorten
from jasstisch.games.contracts import PARTNERS, PUSH

if find_spec("pyschieber") is None:
    raise ModuleNotFoundError(
        "pyschieber is not installed: pip install --no-deps -r requirements/peers.txt"
    )

from pyschieber.card import Card
from pyschieber.game import Game
from pyschieber.player.challenge_player.challenge_player import ChallengePlayer
from pyschieber.suit import Suit
from pyschieber.team import Team
from pyschieber.trumpf import Trumpf

FOREHAND = 0
"""The seat that announces first and leads; sides are swapped instead of forehand."""

GAME = jt.game(
    "schieber",
    dealer=(FOREHAND - 1) % 4,
    undertrump="forced",
    match_bonus=0,
    weis="off",
    multipliers="none",
)
"""Our Schieber with the rules of pyschieber: 157 points a deal, and nothing else counts."""

SUIT_NAMES = {"C": "ACORN", "D": "BELL", "H": "ROSE", "S": "SHIELD"}
VALUES = dict(zip("6789TJQKA", range(6, 15), strict=True))

THEIR_CARDS = {text: Card(Suit[SUIT_NAMES[text[1]]], VALUES[text[0]]) for text in JASS.texts}
OUR_CARDS = {card: text for text, card in THEIR_CARDS.items()}
"""Our cards by those of pyschieber."""

THEIR_CONTRACTS = {f"trump {suit}": Trumpf[name] for suit, name in SUIT_NAMES.items()} | {
    "tops": Trumpf.OBE_ABE,
    "bottoms": Trumpf.UNDE_UFE,
    PUSH: Trumpf.SCHIEBEN,
}
OUR_CONTRACTS = {trumpf.name: text for text, trumpf in THEIR_CONTRACTS.items()}
"""Our announcements by those of pyschieber, which names them by texts in its events."""

GameState = Mapping[str, Any]
"""The game state that pyschieber passes to a player."""

ChoiceGenerator = Generator[object, bool, None]
"""The generator protocol of a pyschieber player.

It receives whether a choice is accepted, and may try another one.
"""


class AdapterError(RuntimeError):
    """A deal could not be played: a bot failed, or the two games disagree; it names the deal."""


@dataclass
class OurTeam:
    """Our two players, and the match that mirrors the deal.

    Attributes:
        match: the match, already dealt.
        seats: their seats.
        player: the bot.
        rngs: the random generator of each of the four seats.
        move_timer: times their moves.
    """

    match: jt.Match
    seats: Sequence[int]
    player: Bot
    rngs: Sequence[random.Random]
    move_timer: MoveTimer

    def act(self, seat: int) -> str:
        """Asks our bot for an action, and does it in the match."""
        view, legal = self.match.view(seat), self.match.legal(seat)
        start = time.thread_time()
        action = self.player.act(view, legal, self.rngs[seat])
        self.move_timer.add(self.player.name, time.thread_time() - start)
        self.match.act(seat, action)
        return action

    def observe_card(self, seat: int, card: str, told: GameState) -> None:
        """Mirrors a card; before an opponent's first card also the announcements."""
        if seat in self.seats:
            return
        if self.match.view(None)["contract"] is None:
            self.observe_contract(told)
        self.match.act(seat, f"play {card}")

    def observe_contract(self, told: GameState) -> None:
        """Mirrors the opponents' announcements, which are known only at the first card."""
        (seat,) = self.match.to_act
        if told["geschoben"]:
            self.match.act(seat, PUSH)
            (seat,) = self.match.to_act
        self.match.act(seat, OUR_CONTRACTS[told["trumpf"]])


@dataclass
class OurPlayer:
    """Our player with the interface of pyschieber; the method names are those that it calls.

    Attributes:
        side: the side that it belongs to.
        id: its seat.
        cards: its cards; pyschieber removes those played.
    """

    side: OurTeam
    id: int
    cards: list[Any] = field(default_factory=list)

    def set_card(self, card: object) -> None:
        """Receives a dealt card."""
        self.cards.append(card)

    def choose_trumpf(self, geschoben: bool) -> ChoiceGenerator:
        """Announces; the match knows whether the partner has pushed."""
        return self.propose(THEIR_CONTRACTS[self.side.act(self.id)])

    def choose_card(self, state: GameState) -> ChoiceGenerator:
        """Plays a card; the match knows the cards played before."""
        return self.propose(THEIR_CARDS[self.side.act(self.id).removeprefix("play ")])

    def propose(self, choice: object) -> ChoiceGenerator:
        """Yields a choice until it is accepted."""
        accepted = yield choice
        if not accepted:
            raise AdapterError(f"pyschieber refuses {choice}, which is legal in our game")
        yield None

    def move_made(self, player_id: int, card: object, state: GameState) -> None:
        """Receives a played card; only one of our two players forwards it."""
        if self.id == self.side.seats[0]:
            self.side.observe_card(player_id, OUR_CARDS[card], state)

    def stich_over(self, state: GameState) -> None:
        """Receives the end of a trick, which the match knows already."""


class FixedDealer:
    """A dealer that deals a given pack instead of shuffling.

    Each player receives their cards in the order of the pack.
    """

    def __init__(self, pack: Sequence[str], match: jt.Match, players: Sequence[Any]) -> None:
        holder = {card: player for player in players for card in match.hand(player.id)}
        self.order = [(holder[card], THEIR_CARDS[card]) for card in pack]

    def shuffle_cards(self) -> None:
        """Does nothing: the pack is shuffled."""

    def deal_cards(self) -> None:
        """Deals the cards to the players."""
        for player, card in self.order:
            player.set_card(card)


def play_table(
    player: Bot, seed: int, number: int, side: int, stopwatch: MoveTimer | None = None
) -> jt.Match:
    """Plays one deal and checks that both games agree.

    Args:
        player: the bot in both seats of a side.
        seed: the random seed, also for the players of pyschieber.
        number: the number of the deal; equal numbers give equal deals everywhere.
        side: our side; side 0 has forehand.
        stopwatch: times our moves.

    Returns:
        The mirroring match, with one finished round.

    Raises:
        AdapterError: a bot failed, or the two games disagree.
    """

    def chance(what: str | int) -> random.Random:
        return random.Random(f"{seed}/{number}/{what}")

    match = jt.Match(GAME)
    pack = shuffled(match.pack, chance("packs"))
    match.deal(pack)
    if isinstance(player, PerfectInformationPlayer):
        player = player.for_match(match)
    ours = OurTeam(
        match, PARTNERS[side], player, [chance(seat) for seat in range(4)], stopwatch or MoveTimer()
    )
    try:
        with seed_pyschieber(chance(f"theirs/{side}")):
            points = play_in_pyschieber(ours, pack)
        counted = match.rounds[0]["points"][:2]
        if points != counted:
            raise AdapterError(f"pyschieber counts {points}, our game {counted}")
    except Exception as error:
        raise AdapterError(
            f"deal {number} of seed {seed}, {player.name} as side {side}, failed: "
            f"{shorten(f'{type(error).__name__}: {error}', 400)}"
        ) from error
    return match


def play_in_pyschieber(ours: OurTeam, pack: Sequence[str]) -> list[int]:
    """Plays a deal in pyschieber's game; returns the points of both sides as it counts them."""
    players = [
        OurPlayer(ours, seat) if seat in ours.seats else challenge_player(seat) for seat in range(4)
    ]
    teams = [Team(players=[players[seat] for seat in seats]) for seats in PARTNERS]
    game = Game(teams=teams, use_counting_factor=False)
    game.dealer = FixedDealer(pack, ours.match, players)
    game.play(start_player_index=FOREHAND, whole_rounds=True)
    return [team.points for team in teams]


def challenge_player(seat: int) -> Any:  # noqa: ANN401 - a player of a package without types
    """Returns the player that won a contest of Swiss programmers, at a seat."""
    player = ChallengePlayer(name=f"challenge {seat}")
    player.id = seat  # before the deal: it determines its seat with its last card
    return player


@contextmanager
def seed_pyschieber(chance: random.Random) -> Iterator[None]:
    """Seeds pyschieber, which draws from the global generator of the process."""
    before = random.getstate()
    random.setstate(chance.getstate())
    try:
        yield
    finally:
        random.setstate(before)
