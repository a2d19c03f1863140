"""Handjass, every player alone: stay or drop, reach twenty-one, and be one of the two best.

The oldest source breaks off after its opening; the rest is the game as it survives under the name
of Handjass. This file decides which seats are asked and in what order (JS4), the marks with two,
three and four in play (JS9), and that the match goes on with fewer once a player is safe (JS10).
"""

from collections.abc import Sequence
from typing import ClassVar, Literal, TypedDict

from jasstisch.engine import slate, tricks
from jasstisch.engine.cards import JASS, card_set
from jasstisch.engine.errors import Refusal
from jasstisch.games.metrics import ScoreMetric
from jasstisch.games.options import Choice, Whole
from jasstisch.games.rules import COMMON_OPTIONS, Game, Json, ViewDelta
from jasstisch.games.scoring_kinds import BY_STROKES
from jasstisch.games.trick_taking import NO_SEAT, SINGLE_SEATS, normalize_action
from jasstisch.games.views import Card, CommonRound
from jasstisch.games.weis import WeisGame, WeisView

MIN_POINTS = 21
"""The points that keep a player from writing a null (JS9)."""

SIXES = tuple(tricks.RANKS * suit for suit in range(4))
"""The six of each suit, as cards."""

NULL = -1
"""A null, as `round_mark` returns it; strokes are their number."""

LONE_PLAYER_STROKES = 2
"""The strokes of a player when all others drop (JS6)."""

_MARKS = {NULL: slate.SACK, 0: slate.NOTHING, 1: slate.TALLY, 2: slate.TALLY * 2}


def round_mark(points: Sequence[int], playing: int, seat: int, generous: bool) -> int:
    """The strokes that a seat writes for a round that was played, or `NULL` (JS9).

    Only ints and loops, so that compiled code can use it.

    Args:
        points: the points of each seat.
        playing: the seats that played, as a set with a bit for each; two or more.
        seat: whose mark is asked for.
        generous: whether players tied for the last place that earns a stroke all earn it (C11).
    """
    if not playing >> seat & 1:
        return 0
    if points[seat] < MIN_POINTS:
        return NULL
    players = reached = better = equal = 0
    for other in range(len(points)):
        plays = playing >> other & 1
        players += plays
        if plays and points[other] >= MIN_POINTS:
            reached += 1
            better += points[other] > points[seat]
            equal += points[other] == points[seat]
    if reached == 1:
        return 2
    places = 1 if players == 2 else 2
    if better + equal <= places:
        return 1
    return 1 if better < places and (generous or players == 2) else 0


def _round_strokes(finished: Json) -> Sequence[int]:
    """The strokes each seat writes (JS9)."""
    return [mark.count(slate.TALLY) for mark in finished["marks"]]


class HandjassRound(CommonRound):
    """A finished round: the seats `playing`, who took the `blind` and `robbed`, Weis and Stöck."""

    playing: list[int]
    blind: int | None
    robbed: int | None
    weis: list[int]
    stoeck: list[int]


class HandjassStanding(TypedDict):
    """The slate of a seat: strokes as written, tallies, open nulls, whether it is safe (JS10)."""

    strokes: str
    tallies: int
    nulls: int
    safe: bool


class HandjassView(WeisView):
    """A view of Jass.

    `playing` are the seats that have not dropped, `said` their answers; `shown` is the card that
    made trump, `turned` the card that lies on the table now; `blind` and `robbed` are the seats
    that took the blind and robbed; `laid_away` are the reader's own cards.
    """

    rounds: list[HandjassRound]
    standing: list[HandjassStanding]
    playing: list[int]
    said: list[Literal["stay", "drop", "blind"] | None]
    shown: Card | None
    turned: Card | None
    blind: int | None
    blind_open: bool
    robbed: int | None
    laid_away: list[Card] | None


class Handjass(WeisGame, name="jass"):
    """One match of Jass for two to four players, each alone.

    Attributes:
        strokes: the slate of each seat as written.
        said: the answer of each seat in this round, None before.
        shown: the card whose suit became trump, -1 between rounds.
        turned: that card, or the six put in its place, while it lies on the table; else -1.
        blind: the cards of the blind while it lies on the table, else 0.
        blind_taker, robber: seats, `NO_SEAT` before.
        laid_away: the cards each seat has dropped or exchanged for the blind.
    """

    options = (
        Whole("players", 4, low=2, high=4),
        *COMMON_OPTIONS,
        Choice("target", (7, 5, 9)),
        Choice("undertrump", ("strict", "forced")),
        Choice("ties", ("nothing", "generous")),
    )
    view_type = HandjassView
    revealing_keys = ("shown", "turned", *WeisGame.revealing_keys)
    scoring_kind = BY_STROKES
    net_family = "jass"
    metric = ScoreMetric(
        "strokes",
        "strokes",
        True,
        _round_strokes,
        0.01,
        2,
        "strokes",
        "strokes",
        is_constant_sum=True,
        costly_from=0.2,
    )  # JS9
    PACKETS: ClassVar = {2: (3, 3, 3), 3: (3, 3, 3), 4: (3, 3, 3)}  # JS3

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.strokes = [""] * self.players

    def clear(self) -> None:
        """Leaves the table empty, as between rounds."""
        super().clear()
        players = self.players
        self.said: list[str | None] = [None] * players
        self.shown = self.turned = -1
        self.blind = 0
        self.blind_taker = self.robber = NO_SEAT
        self.laid_away = [0] * players

    # The deal, and who plays (JS3 - JS6).

    def after_deal(self, pack: Sequence[int]) -> None:
        """Turns the trump card, leaves a blind on the table and asks who plays (JS3)."""
        if len(self.playing) == 4:
            self.shown = pack[35]
        else:
            self.shown = self.turned = pack[27]
            self.blind = card_set(pack[27:] if len(self.playing) == 3 else pack[18:27])
        self.trump = JASS.suit(self.shown)
        self.ask()

    def ask(self) -> None:
        """Asks the next seat whether it plays; when all have answered, play begins (JS4)."""
        undecided = [seat for seat in self.playing if self.said[seat] is None]
        alone = len(self.playing) == 1
        if undecided and not alone:
            self.phase = "answer"
            self.to_act = SINGLE_SEATS[undecided[0]]
        elif alone:
            self.end_unplayed_round()
        else:
            self.begin_play()

    def legal_answers(self) -> tuple[str, ...]:
        """The answers open to the seat that is asked."""
        return ("stay", "drop", "blind") if self.is_blind_available else ("stay", "drop")

    @property
    def is_blind_available(self) -> bool:
        """Whether a blind lies on the table that may still be taken."""
        return self.phase == "answer" and bool(self.blind)

    def answer(self, seat: int, said: str) -> None:
        """Records an answer: `drop` puts the hand away, `blind` exchanges it (JS4)."""
        self.said[seat] = said
        if said != "stay":
            self.laid_away[seat] = self.hands[seat]
            self.hands[seat] = 0
        if said == "drop":
            self.playing.remove(seat)
        elif said == "blind":
            self.hands[seat], self.blind = self.blind, 0
            self.blind_taker = seat
            if self.turned >= 0 and self.hands[seat] >> self.turned & 1:
                self.turned = -1
        self.ask()

    def end_unplayed_round(self) -> None:
        """Ends the round without play: the only seat left writes two strokes (JS6)."""
        marks = [_MARKS[0]] * self.players
        marks[self.playing[0]] = _MARKS[LONE_PLAYER_STROKES]
        self.write_marks([0] * self.players, marks)

    def is_out_of_round(self, seat: int) -> bool:
        """Whether a seat has dropped, or is safe and takes no part (JS4, JS10)."""
        return self.phase in ("answer", "play") and seat not in self.playing

    # Play (JS5, JS7).

    def may_rob(self, seat: int) -> bool:
        """Whether the seat to play may exchange the six of trumps for the turned card (JS5)."""
        return (
            not self.history
            and self.turned not in (-1, SIXES[self.trump])
            and bool(self.hands[seat] >> SIXES[self.trump] & 1)
        )

    def rob(self, seat: int) -> None:
        """Exchanges the six of trumps for the turned card (JS5)."""
        six = SIXES[self.trump]
        self.hands[seat] ^= 1 << six | 1 << self.turned
        self.turned = six
        self.robber = seat
        self.give_turn(seat)

    def after_trick(self, cards: tuple[int, ...], winner: int) -> None:
        """Scores the best announced Weis after the first trick (JS7)."""
        if len(self.history) == 1:
            self.score_weis()

    # Actions.

    def legal(self, seat: int) -> Sequence[str]:
        """The answers, or the cards a seat may play, with and without Weis, and `rob`."""
        if self.phase == "answer":
            return self.legal_answers() if seat in self.to_act else ()
        plays = super().legal(seat)
        return (*plays, "rob") if plays and self.may_rob(seat) else plays

    def other_actions(self) -> Sequence[str] | None:
        """The answers, and `rob` (JS4, JS5)."""
        return ("stay", "drop", "blind", "rob")

    def refusal(self, seat: int, action: str) -> Refusal | None:
        """Why a seat may not do this now; None when it may."""
        out_of_turn = self.turn_refusal(seat)
        if out_of_turn is not None:
            return out_of_turn
        text = normalize_action(action)
        if self.phase == "answer":
            return self.answer_refusal(text)
        if text == "rob":
            return None if self.may_rob(seat) else self.rob_refusal(seat)
        return super().refusal(seat, action)

    def answer_refusal(self, text: str) -> Refusal | None:
        """Why this text is not an answer open to the seat; None when it is (JS4)."""
        if text in self.legal_answers():
            return None
        if text == "blind":
            lies = "there is no blind" if self.blind_taker == NO_SEAT else "the blind is taken"
            return Refusal("JS4", "blind", f"{lies}: say stay or drop")
        return Refusal("JS4", "answer", f"say {' or '.join(self.legal_answers())}")

    def rob_refusal(self, seat: int) -> Refusal:
        """Why a seat may not rob now (JS5)."""
        six = JASS.texts[SIXES[self.trump]]
        if self.history:
            text = "the turned card is robbed before one's first card only"
        elif self.turned in (-1, SIXES[self.trump]):
            text = "no turned trump card lies on the table that could be robbed"
        else:
            text = f"seat {seat} does not hold {six}, the six of trumps"
        return Refusal("JS5", "rob", text)

    def do(self, action: str, seat: int) -> str:
        """Carries out a legal action, given in its canonical text, and returns that text."""
        if self.phase == "answer":
            self.answer(seat, action)
        elif action == "rob":
            self.rob(seat)
        else:
            super().do(action, seat)
        return action

    # Marks and the end (JS9, JS10).

    def after_play(self) -> None:
        """Writes the marks of those who played (JS9)."""
        points = self.points()
        playing = sum(1 << seat for seat in self.playing)
        generous = self.game.options["ties"] == "generous"
        marks = [
            _MARKS[round_mark(points, playing, seat, generous)] for seat in range(self.players)
        ]
        self.write_marks(points, marks)

    def write_marks(self, points: list[int], marks: list[str]) -> None:
        """Writes the marks on the slate and ends the round; safe players leave the match (JS10)."""
        self.strokes = [slate.add_mark(*pair) for pair in zip(self.strokes, marks, strict=True)]
        self.finish_round(
            points,
            marks,
            playing=sorted(self.playing),
            blind=_seat_or_none(self.blind_taker),
            robbed=_seat_or_none(self.robber),
            weis=self.weis,
            stoeck=self.stoeck,
        )
        left = [seat for seat in range(self.players) if self.is_in_match(seat)]
        if len(left) > 1:
            self.next_deal()
        else:
            self.finish([seat for seat in range(self.players) if seat not in left])

    def is_in_match(self, seat: int) -> bool:
        """Whether a seat has not yet written the strokes that make it safe (JS10)."""
        target = self.game.options["target"]
        assert isinstance(target, int)
        return self.strokes[seat].count(slate.TALLY) < target

    def rest_is_decided(self, seat: int) -> bool:
        """Once no Weis can follow: all cards of the players fall, and with them all Stöck (JS8).

        The cards the others hold decide the result (JS1); the order in which they play does not.
        """
        return not self.weis_possible

    def unseen(self, seat: int) -> int:
        """Excludes the cards this seat has laid away and the card turned up (JS4, JS5)."""
        turned = 0 if self.turned < 0 else 1 << self.turned
        return super().unseen(seat) & ~(self.laid_away[seat] | turned)

    def standing(self) -> list[Json]:
        """The slate: strokes as written, tallies, open nulls, and whether each is safe (JS10)."""
        return [
            {
                "strokes": strokes,
                "tallies": strokes.count(slate.TALLY),
                "nulls": strokes.count(slate.SACK),
                "safe": not self.is_in_match(seat),
            }
            for seat, strokes in enumerate(self.strokes)
        ]

    # What can be seen.

    def action_delta(self, action: str) -> ViewDelta | None:
        """What the last card played changed in the views."""
        return self.card_delta(action)

    def private_view(self, seat: int) -> Json:
        """The seat's own Weis, and the cards it has laid away."""
        return super().private_view(seat) | {"laid_away": JASS.texts_of(self.laid_away[seat])}

    def table_view(self, seat: int | None) -> Json:
        """The tricks, the seats in play, the turned card, and the Weis known so far (JS4, JS7)."""
        away = None if seat is None else JASS.texts_of(self.laid_away[seat])
        own = {
            "playing": sorted(self.playing),
            "said": list(self.said),
            "shown": _text_or_none(self.shown),
            "turned": _text_or_none(self.turned),
            "blind": _seat_or_none(self.blind_taker),
            "blind_open": self.is_blind_available,
            "robbed": _seat_or_none(self.robber),
            "laid_away": away,
        }
        return super().table_view(seat) | own


def _seat_or_none(seat: int) -> int | None:
    return None if seat == NO_SEAT else seat


def _text_or_none(card: int) -> str | None:
    return JASS.texts[card] if card >= 0 else None
