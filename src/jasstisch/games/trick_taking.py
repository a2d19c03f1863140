"""The base class of the Jass games in which a round of tricks is played (C4 - C10).

The shared part: the deal in packets, the order of play, legal cards, the winner of a trick, the
trump (drawn, turned or made by the first discard) and the points of captured cards by the trump
known at the time. A game defines what happens after the deal, after a trick and after the last
trick.
"""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar

from jasstisch.engine import melds, tricks
from jasstisch.engine.cards import JASS, SUIT_NAMES, SUITS, card_set
from jasstisch.engine.errors import GameError, IllegalAction, Refusal, quote
from jasstisch.games.dealing import deal
from jasstisch.games.options import Choice, Value
from jasstisch.games.rules import Game, Json, Rules, ViewDelta
from jasstisch.games.scoring_kinds import BY_POINTS
from jasstisch.games.sure_tricks import all_sure, sure_order

UNDERTRUMP = {
    "free": tricks.FREE,
    "if_void": tricks.IF_VOID,
    "strict": tricks.STRICT,
    "forced": tricks.FORCED,
    "literal": tricks.LITERAL,
}
"""The values of the option `undertrump` (C9)."""

PLAY_ACTIONS = tuple(f"play {text}" for text in JASS.texts)
"""The canonical action text for playing each card."""

CARD_BY_ACTION = {text: card for card, text in enumerate(JASS.texts)} | {
    text: card for card, text in enumerate(PLAY_ACTIONS)
}
"""The card of an action in canonical or short form."""

_CARD_NUMBERS = JASS.numbers
NO_SEAT = -1
SINGLE_SEATS = tuple((seat,) for seat in range(10))
_PLAY_ACTIONS_BY_SUIT = tuple(
    tuple(
        tuple(
            PLAY_ACTIONS[tricks.RANKS * suit + rank]
            for rank in range(tricks.RANKS)
            if ranks >> rank & 1
        )
        for ranks in range(1 << tricks.RANKS)
    )
    for suit in range(4)
)
"""For each suit and each set of its ranks, the actions that play those cards."""


@cache
def _subset_sums(counts: tuple[int, ...]) -> tuple[int, ...]:
    """The points of each set of ranks, given the points of each rank."""
    sums = [0]
    for count in counts:
        sums += [count + rest for rest in sums]
    return tuple(sums)


_POINTS_BY_RANKS = tuple(
    tuple(
        _subset_sums(
            tuple(tricks.card_points(card, ranking) for card in range(first, first + tricks.RANKS))
        )
        for first in range(0, len(JASS.texts), tricks.RANKS)
    )
    for ranking in tricks.RANKINGS
)
"""For each ranking and each suit, the points of each set of its ranks (C3, CT5)."""


def _play_actions(cards: int) -> tuple[str, ...]:
    """The actions that play the cards of a set, in order."""
    return (
        _PLAY_ACTIONS_BY_SUIT[0][cards & 511]
        + _PLAY_ACTIONS_BY_SUIT[1][cards >> 9 & 511]
        + _PLAY_ACTIONS_BY_SUIT[2][cards >> 18 & 511]
        + _PLAY_ACTIONS_BY_SUIT[3][cards >> 27]
    )


def points_of(cards: int, ranking: int) -> int:
    """The points of a set of cards, as `tricks.points` but with one table look-up for each suit."""
    clubs, diamonds, hearts, spades = _POINTS_BY_RANKS[ranking]
    return (
        clubs[cards & 511]
        + diamonds[cards >> 9 & 511]
        + hearts[cards >> 18 & 511]
        + spades[cards >> 27]
    )


def normalize_action(action: object) -> str:
    """The canonical text of an action in any case and spacing: `" jc "` becomes `play JC`."""
    if not isinstance(action, str) or not action.isascii():
        return ""
    words = [
        word.upper() if word.upper() in _CARD_NUMBERS else word.lower() for word in action.split()
    ]
    short = words and words[0] in _CARD_NUMBERS
    return " ".join(["play", *words] if short else words)


def _trick_json(leader: int, cards: Sequence[int], winner: int) -> Json:
    """A complete trick as JSON, as in rounds and views."""
    texts = JASS.texts
    return {"leader": leader, "cards": [texts[card] for card in cards], "winner": winner}


class TrickTaking(Rules):
    """A Jass game in which the players take tricks.

    Attributes:
        playing: seats in this round, in order of play from forehand.
        hands: the set of cards each seat holds.
        turn: seat to play a card, `NO_SEAT` outside the play.
        playable: set of cards that seat may play.
        ranking: how the cards of the trick rank, as `tricks` numbers it; `PLAIN` while no trump is
            known.
        value_ranking: the ranking by which captured cards count (C10, CT5).
        trick: cards of the trick in progress, in order; `leader` led it, `led` is the suit led.
        best: the best card of the trick so far, which `holder` played; `top` its highest trump
            where a plain suit was led.
        taken: set of cards each seat has captured in this round.
        extra: points each seat has in this round besides the cards captured.
        history: complete tricks of this round: leader, cards in order, winner.
    """

    PACKETS: ClassVar[dict[int, tuple[int, ...]]]
    """The packets dealt, by number of players (C6)."""

    scoring_kind: ClassVar[int] = BY_POINTS
    """The kind of scoring for compiled code, one of `scoring_kinds`."""

    net_family: ClassVar[str] = ""
    """The family of nets with which the searching bots play its cards; empty for none."""

    discard_makes_trump: ClassVar[bool] = False
    """Whether the first card that does not follow suit makes trump (MV2)."""

    @classmethod
    def molotov_points_rule(cls, _options: Mapping[str, Value]) -> int:
        """The rule for runs in a trick, one of the constants of `melds` (MV4, MV5)."""
        return melds.NO_BOMBS

    @classmethod
    def are_eights_counted(cls, _options: Mapping[str, Value]) -> bool:
        """Whether eights count in a round without trump (MV7, MW3)."""
        return False

    @classmethod
    def check_declarations(cls, name: str) -> None:
        """Checks besides what every game declares the undertrump rule and the packets (C6, C9)."""
        super().check_declarations(name)
        declared = {option.name: option for option in cls.options}
        undertrump = declared.get("undertrump")
        if not (isinstance(undertrump, Choice) and UNDERTRUMP.keys() >= {*undertrump.values}):
            raise GameError(
                f"{quote(name)} is a game of tricks, and its options say how trumps may be "
                f'discarded: Choice("undertrump", (...)) with any of {", ".join(UNDERTRUMP)}'
            )
        packets = getattr(cls, "PACKETS", {})
        undealt = [
            str(players)
            for players in range(len(SINGLE_SEATS) + 1)
            if declared["players"].allows(players, players) and players not in packets
        ]
        if undealt and cls.deal is TrickTaking.deal:
            raise GameError(
                f"{quote(name)} does not say how cards are dealt to {' or '.join(undealt)} "
                "players: PACKETS = {4: (3, 3, 3)} deals nine cards to each of four"
            )

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.undertrump = UNDERTRUMP[str(game.options["undertrump"])]
        self.clear()

    def clear(self) -> None:
        """Leaves the table empty, as between rounds."""
        players = self.players
        self.playing: list[int] = []
        self.hands = [0] * players
        self.taken = [0] * players
        self.extra = [0] * players
        self.history: list[tuple[int, tuple[int, ...], int]] = []
        self.trick: list[int] = []
        self.trump = tricks.PLAIN
        self.turn = self.leader = self.holder = NO_SEAT
        self.led = self.best = self.top = -1
        self.playable = 0

    @property
    def trump(self) -> int:
        """The trump suit, by which cards rank and count; `PLAIN` while none is known."""
        return self.value_ranking

    @trump.setter
    def trump(self, suit: int) -> None:
        self.ranking = self.value_ranking = suit

    def frozen_parts(self) -> Iterable[object]:
        """The complete tricks."""
        return self.history

    # What a game defines.

    @abstractmethod
    def after_deal(self, pack: Sequence[int]) -> None:
        """Called when the hands are dealt: begins the play, or a phase before it."""

    def after_trick(self, cards: tuple[int, ...], winner: int) -> None:
        """Called when a trick is complete and taken; the game adds further points to `extra`."""

    def ends_mid_round(self) -> bool:
        """Whether the match is already decided, though cards are left to play."""
        return False

    @abstractmethod
    def after_play(self) -> None:
        """Called when the play has ended: scores the round, and goes on or ends the match."""

    # Dealing and playing.

    def deal(self, pack: Sequence[int]) -> None:
        """Deals the hands in packets from forehand on (C6)."""
        assert self.dealer is not None
        self.playing = self.order_from((self.dealer + 1) % self.players)
        for seat, cards in zip(
            self.playing, deal(pack, self.PACKETS[len(self.playing)], self.playing), strict=True
        ):
            self.hands[seat] = card_set(cards)
        self.pack = ()
        self.after_deal(pack)

    def begin_play(self) -> None:
        """Begins the first trick."""
        self.phase = "play"
        self.followers = dict(zip(self.playing, self.playing[1:] + self.playing[:1], strict=True))
        self.start_trick(self.first_leader())

    def first_leader(self) -> int:
        """The seat that leads the first trick: forehand (C5)."""
        return self.playing[0]

    def start_trick(self, seat: int) -> None:
        """Begins a trick led by this seat."""
        self.trick = []
        self.leader = seat
        self.led = self.best = self.top = -1
        self.give_turn(seat)

    def give_turn(self, seat: int) -> None:
        """Gives this seat the turn to play a card."""
        self.turn = seat
        self.to_act = SINGLE_SEATS[seat]
        self.playable = tricks.legal_cards(
            self.hands[seat], self.led, self.ranking, self.top, self.undertrump
        )

    def play(self, card: int) -> None:
        """Plays a legal card for the seat whose turn it is (C7, MV2)."""
        seat = self.turn
        self.hands[seat] ^= 1 << card
        if self.discard_makes_trump and self.ranking < 0:
            self.trump = tricks.trump_after(card, self.led, self.ranking)
        if not self.trick:
            self.led = card // tricks.RANKS
        self.best, self.top = tricks.best_card_after(card, self.best, self.top, self.ranking)
        if self.best == card:
            self.holder = seat
        self.trick.append(card)
        if len(self.trick) < len(self.playing):
            self.give_turn(self.followers[seat])
        else:
            self.complete_trick()

    def complete_trick(self) -> None:
        """Called when the last card of a trick is played; scores the trick."""
        self.history.append((self.leader, tuple(self.trick), self.holder))
        self.score_trick()

    def score_trick(self) -> None:
        """Gives the trick to its winner, who leads the next one; ends the play after the last."""
        _, cards, winner = self.history[-1]
        self.taken[winner] |= card_set(cards)
        last = not self.hands[winner]
        if last:
            self.extra[winner] += tricks.LAST_TRICK
        self.after_trick(cards, winner)
        if last or self.ends_mid_round():
            self.end_play()
        else:
            self.start_trick(winner)

    def end_play(self) -> None:
        """Ends the play of the round and scores it."""
        self.trick = []
        self.turn = NO_SEAT
        self.to_act = ()
        self.playable = 0
        self.after_play()

    def points(self) -> list[int]:
        """The points each seat has in this round so far, by the present ranking (C10)."""
        valued = self.value_ranking
        return [
            points_of(taken, valued) + extra
            for taken, extra in zip(self.taken, self.extra, strict=True)
        ]

    def score_eights(self) -> None:
        """Adds 8 points for each eight, in a round without trump (MV7, MW3)."""
        if self.value_ranking == tricks.PLAIN:
            for seat, taken in enumerate(self.taken):
                self.extra[seat] += 8 * (taken & tricks.EIGHTS).bit_count()

    # Actions.

    def legal(self, seat: int) -> Sequence[str]:
        """The cards a seat may play, as actions, in the order of the hand."""
        return _play_actions(self.playable) if seat == self.turn else ()

    def other_actions(self) -> Sequence[str] | None:
        """No actions besides the play of a card."""
        return ()

    def act(self, seat: int, action: str) -> str:
        """Carries out an action; a legal card in canonical spelling takes a fast path."""
        card = CARD_BY_ACTION.get(action)
        if card is None or seat != self.turn or not self.playable >> card & 1:
            return self.normalize_and_act(seat, action)
        self.play(card)
        return PLAY_ACTIONS[card]

    def normalize_and_act(self, seat: int, action: str) -> str:
        """Does an action in any spelling, or refuses it with the reason (C12)."""
        refusal = self.refusal(seat, action)
        if refusal is not None:
            raise IllegalAction(action, refusal, self.legal(seat))
        return self.do(normalize_action(action), seat)

    def do(self, action: str, seat: int) -> str:
        """Carries out a legal action, given in its canonical text, and returns that text."""
        self.play(CARD_BY_ACTION[action])
        return action

    def refusal(self, seat: int, action: str) -> Refusal | None:
        """Why a seat may not play this card now; None when it may."""
        card = CARD_BY_ACTION.get(action) if action.__class__ is str else None
        if card is not None and seat == self.turn and self.playable >> card & 1:
            return None
        out_of_turn = self.turn_refusal(seat)
        if out_of_turn is not None:
            return out_of_turn
        card = CARD_BY_ACTION.get(normalize_action(action))
        if card is None:
            return Refusal("C12", "unknown", "not an action of this game; write a card as play JC")
        text = JASS.texts[card]
        if not self.hands[seat] >> card & 1:
            return Refusal("C8", "not_held", f"seat {seat} does not hold {text}")
        return None if self.playable >> card & 1 else self.card_refusal(seat, card)

    def card_refusals(self, seat: int) -> dict[str, Refusal]:
        """The refusal of each card in hand that a seat may not play now; {} out of its turn."""
        cards = self.hands[seat] & ~self.playable if seat == self.turn else 0
        if not cards:
            return {}
        # The reason depends only on whether the card is a trump.
        trumps = cards & tricks.TRUMP_CARDS[self.ranking]
        refused: dict[str, Refusal] = {}
        for alike in (trumps, cards & ~trumps):
            if alike:
                why = self.card_refusal(seat, (alike & -alike).bit_length() - 1)
                refused |= dict.fromkeys(JASS.texts_of(alike), why)
        return refused

    def card_refusal(self, seat: int, card: int) -> Refusal:
        """Why a card of the hand may not be played to this trick (C8, C9)."""
        suit = SUIT_NAMES[SUITS[self.led]]
        if not tricks.TRUMP_CARDS[self.ranking]:
            clause = "C8b" if self.ranking == tricks.PLAIN else "CT4"
            return Refusal(clause, "follow", f"{suit} were led and must be followed")
        if self.led == self.ranking:
            return Refusal("C8c", "follow_trump", f"trumps ({suit}) were led and must be followed")
        trump = SUIT_NAMES[SUITS[self.ranking]]
        hand = self.hands[seat]
        is_trump = card // tricks.RANKS == self.ranking
        if hand & tricks.SUIT_CARDS[self.led] and not is_trump:
            text = f"{suit} were led and are held: follow suit or play a trump ({trump})"
            return Refusal("C8d", "follow_or_trump", text)
        higher = hand & tricks.HIGHER_TRUMPS[self.top]
        top = JASS.texts[self.top]
        if is_trump and self.playable != higher:
            return Refusal("C9", "undertrump", f"a trump below {top} may not be played")
        if higher:
            return Refusal("C9", "overtrump", f"a trump above {top} must be played")
        return Refusal("C9", "trump_if_you_can", f"a trump ({trump}) must be played")

    # Sure tricks.

    def sure_tricks(self, seat: int) -> Sequence[str]:
        """The plays by which a leading seat surely takes all remaining tricks; () if unsure."""
        hand = self.hands[seat]
        leads = seat == self.turn and not self.trick and hand & hand - 1
        if not leads or self.ranking == tricks.PLAIN:
            return ()
        order = sure_order(hand, self.unseen(seat), self.remaining_trick_rankings())
        return (
            [PLAY_ACTIONS[card] for card in order] if order and self.rest_is_decided(seat) else ()
        )

    def wins_in_any_order(self, seat: int) -> bool:
        """Whether a leading seat takes all remaining tricks, in any order of its cards.

        Games in which more points may be worse need this: there, a seat that could lose a trick in
        another order has a choice.
        """
        return all_sure(self.hands[seat], self.unseen(seat), self.remaining_trick_rankings())

    def remaining_trick_rankings(self) -> Sequence[int]:
        """The ranking of each trick not yet led."""
        return (self.ranking,) * self.hands[self.turn].bit_count()

    def unseen(self, seat: int) -> int:
        """The cards that others may hold, by the seat's information at the start of a trick."""
        cards = card_set(self.whole_pack) & ~self.hands[seat]
        for taken in self.taken:
            cards &= ~taken
        return cards

    # What can be seen.

    def hand(self, seat: int) -> int:
        """The set of cards a seat holds."""
        return self.hands[seat]

    def trick_in_progress(self) -> bool:
        """Whether a trick is being played."""
        return bool(self.trick)

    def current_trick(self) -> list[tuple[int, int]]:
        """The trick in progress: seat and card, in order of play."""
        seats = self.order_of_play(self.leader) if self.trick else []
        return list(zip(seats, self.trick, strict=False))

    def order_of_play(self, seat: int) -> list[int]:
        """The seats of this round in order of play, beginning with this one."""
        start = self.playing.index(seat)
        return self.playing[start:] + self.playing[:start]

    def tricks_json(self) -> list[Json]:
        """The complete tricks of this round as JSON, as in rounds and views."""
        return [_trick_json(*one) for one in self.history]

    def trump_letter(self) -> str | None:
        """The letter of the trump suit, None while there is none."""
        return SUITS[self.value_ranking] if tricks.TRUMP_CARDS[self.value_ranking] else None

    def visible_points(self, seat: int | None) -> list[int | None]:
        """The running points as a seat or a spectator may see them."""
        return list(self.points())

    @property
    def hides_points(self) -> bool:
        """Whether a seat may see different points from those a spectator sees."""
        return type(self).visible_points is not TrickTaking.visible_points

    def private_view(self, seat: int) -> Json:
        """The points, where a game hides some of them, and the game's own private part."""
        return {"points": self.visible_points(seat)} if self.hides_points else {}

    def card_delta(self, action: str) -> ViewDelta | None:
        """The changes of a card in the views: the trick, or its result once it is complete.

        None where the action was more than a card, or ended the round. The `action_delta` of games
        in which a card changes nothing else returns it.
        """
        if self.phase != "play" or action not in CARD_BY_ACTION:
            return None
        shown: Json = {"to_act": [*self.to_act], "hand_sizes": [*map(int.bit_count, self.hands)]}
        added: dict[str, list[Any]]
        if self.trick:
            card, start = self.trick[-1], self.playing.index(self.leader)
            seat = self.playing[(start + len(self.trick) - 1) % len(self.playing)]
            added = {"trick": [[seat, JASS.texts[card]]]}
        else:
            card = self.history[-1][1][-1]
            last = _trick_json(*self.history[-1])
            shown |= {"trick": [], "last_trick": last}
            added = {"tricks": [last]}
        makes_trump = self.discard_makes_trump and card // tricks.RANKS == self.trump
        if not self.trick or makes_trump:
            shown |= {"trump": self.trump_letter(), "points": self.visible_points(None)}
        return ViewDelta(
            shown, added, only_hand_changed="points" not in shown or not self.hides_points
        )

    def table_view(self, seat: int | None) -> Json:
        """The sizes of the hands, the tricks and the running points (C10)."""
        played = self.tricks_json()
        return {
            "hand_sizes": [hand.bit_count() for hand in self.hands],
            "trick": [[other, JASS.texts[card]] for other, card in self.current_trick()],
            "last_trick": played[-1] if played else None,
            "tricks": played,
            "trump": self.trump_letter(),
            "points": self.visible_points(seat),
        }

    def finish_round(self, points: list[int], marks: list[str], **own: object) -> None:
        """Appends the round to the finished rounds and clears the table."""
        self.rounds.append(
            {
                "dealer": self.dealer,
                "trump": self.trump_letter(),
                "tricks": self.tricks_json(),
                "points": points,
                "marks": marks,
                **own,
            }
        )
        self.clear()
