"""I Doubt It: players lay cards face down, claim their rank, truly or not, and may be doubted.

When a claim is doubted, the player who was wrong takes the whole middle. Where the source is
silent, this file decides how many deals a match has (ID7) and how a deal ends that nobody wins by
going out (ID8). Drawing up to three cards and missing a turn are automatic (ID5), so a seat that is
asked can always lay.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypedDict

from jasstisch.engine import slate
from jasstisch.engine.cards import Deck, card_set
from jasstisch.engine.errors import GameError, IllegalAction, Refusal, shorten
from jasstisch.games.dealing import deal
from jasstisch.games.i_doubt_it_claims import LegalClaims, claim_text
from jasstisch.games.metrics import ScoreMetric, marks_as_numbers
from jasstisch.games.options import Choice, DealerOption, Whole
from jasstisch.games.rules import Game, Json, Rules
from jasstisch.games.views import Card, CommonRound, CommonView

FULL_DECK = Deck("23456789TJQKA")
"""The 52 cards of the game (ID1)."""

CLAIM_SIZE = 3
"""The number of cards laid with a claim (ID2)."""

ANSWERS = ("doubt", "pass")

_PLAYERS = range(2, 9)
"""The possible numbers of players (ID1)."""

_MAX_CLAIMS = {players: (25 if players <= 3 else 12) * players for players in _PLAYERS}
"""The number of claims after which a deal ends, by the number of players (ID8)."""


def _somebody_out(finished: Json) -> float:
    """Whether somebody went out in a deal (ID6)."""
    return float(0 in finished["left"])


def _claims_of(finished: Json) -> float:
    """The number of claims in a deal."""
    return float(finished["claims"])


_EXTRA_STATISTICS = {"out": _somebody_out, "claims": _claims_of}
"""Further statistics of a deal."""


_Rank = Literal["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]


class Claim(TypedDict):
    """The claim being answered: `count` cards claimed to be of one `rank` (ID2)."""

    seat: int
    rank: _Rank
    count: int


class LayTurn(TypedDict):
    """One turn of I Doubt It, as far as the reader may know it (ID2 - ID5).

    `count` 0: the turn was missed. `drawn` and `laid` are null where the reader may not see
    them; `laid` is in the order on the pile. `truth` is null unless somebody doubted; `taker` took
    `taken` cards.
    """

    seat: int
    drew: int
    drawn: list[Card] | None
    rank: _Rank | None
    count: int
    laid: list[Card] | None
    passed: list[int]
    doubter: int | None
    truth: bool | None
    taker: int | None
    taken: int


class IDoubtItRound(CommonRound):
    """A finished deal: its claims, the chips that changed hands and the cards left (ID6 - ID8)."""

    claims: int
    chips: list[int]
    left: list[int]


class IDoubtItStanding(TypedDict):
    """The chips of a seat (ID7)."""

    chips: int


class IDoubtItView(CommonView):
    """A view of I Doubt It: cards in the `middle`, the open `claim`, and the turns of this deal."""

    rounds: list[IDoubtItRound]
    standing: list[IDoubtItStanding]
    middle: int
    claim: Claim | None
    claims: int
    turns: list[LayTurn]


@dataclass(slots=True)
class Turn:
    """One turn of a deal.

    Attributes:
        seat: the seat whose turn it was.
        drawn: cards drawn from the middle, in the order drawn.
        laid: cards laid, the last on top; () before cards are laid and where the turn was missed.
        rank: letter of the rank claimed, None where nothing was laid.
        passed_seats: seats that have passed, in order.
        doubter: the seat that doubted.
        truth: whether the claim was true, None as long as nobody has doubted it.
        taker: the seat that took the cards laid and the middle.
        taken_count: the number of cards taken.
    """

    seat: int
    drawn: tuple[int, ...] = ()
    laid: tuple[int, ...] = ()
    rank: str | None = None
    passed_seats: list[int] = field(default_factory=list)
    doubter: int | None = None
    truth: bool | None = None
    taker: int | None = None
    taken_count: int = 0

    def view_for(self, reader: int | None) -> Json:
        """The turn as far as a seat or a spectator (None) may know it (ID3 - ID5)."""
        own, turned_up = self.seat == reader, self.truth is not None
        texts = FULL_DECK.texts
        return {
            "seat": self.seat,
            "drew": len(self.drawn),
            "drawn": [texts[card] for card in self.drawn] if own else None,
            "rank": self.rank,
            "count": len(self.laid),
            "laid": [texts[card] for card in self.laid] if own or turned_up else None,
            "passed": list(self.passed_seats),
            "doubter": self.doubter,
            "truth": self.truth,
            "taker": self.taker,
            "taken": self.taken_count,
        }


def _upper_words(action: object) -> list[str]:
    """The words of an action in upper case, so that neither case nor spaces matter."""
    return action.upper().split() if isinstance(action, str) and action.isascii() else []


class IDoubtIt(Rules, name="i-doubt-it"):
    """One match of I Doubt It for two to eight players.

    Attributes:
        hands: the set of cards each seat holds.
        middle: the cards in the middle, the top one last, without those of an open claim.
        turns: the turns of this deal; between deals those of the previous one.
        claims: the number of claims in these turns.
        fees: chips received less chips paid in this deal, for each seat (ID9).
        chips: chips of each seat from the deals that have ended.
    """

    options = (
        Whole("players", 4, low=_PLAYERS[0], high=_PLAYERS[-1]),
        DealerOption(),
        Choice("direction", ("clockwise", "anticlockwise")),  # C4: the source plays to the left
        Whole(
            "rounds",
            4,
            low=1,
            high=60,
            defaults_by_players={players: players for players in _PLAYERS},
        ),
        Whole("max_turns", 48, low=20, high=5000, defaults_by_players=_MAX_CLAIMS),
        Choice("last", ("three", "any")),
        Choice("lie_fee", (0, 1)),
    )
    deck = FULL_DECK
    view_type = IDoubtItView
    metric = ScoreMetric(
        "chips",
        "chips",
        True,
        marks_as_numbers,
        0.01,
        1,
        "chips",
        "chips",
        is_non_negative=False,
        extra_statistics=_EXTRA_STATISTICS,
    )  # ID6
    revealing_keys = ("turns",)

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.chips = [0] * self.players
        self.turns: list[Turn] = []
        self.claims = 0
        self.clear()

    def clear(self) -> None:
        """Clears the table, as between deals; the turns of the previous deal stay visible."""
        self.hands = [0] * self.players
        self.fees = [0] * self.players
        self.middle: list[int] = []

    # Dealing and taking turns.

    def deal(self, pack: Sequence[int]) -> None:
        """Deals single cards, the same number to each; the surplus is the middle (ID1)."""
        assert self.dealer is not None
        each = len(pack) // self.players
        order = self.order_from((self.dealer + 1) % self.players)
        for seat, cards in zip(order, deal(pack, (1,) * each, order), strict=True):
            self.hands[seat] = card_set(cards)
        self.middle = list(reversed(pack[each * self.players :]))
        self.turns = []
        self.claims = 0
        self.pack = ()
        self.begin_turn(order[0])

    def begin_turn(self, seat: int) -> None:
        """Begins the turn of this seat, or of the next one that has or can draw enough cards (ID5).

        Even eight hands of two leave 36 of the 52 cards in the middle, so one seat always can.
        """
        while (missing := self.cards_due(seat) - self.hands[seat].bit_count()) > len(self.middle):
            self.turns.append(Turn(seat))
            seat = self.next_seat(seat)
        if missing > 0:
            drawn = tuple(self.middle.pop() for _ in range(missing))
            self.hands[seat] |= card_set(drawn)
            self.turns.append(Turn(seat, drawn))
        self.phase = "lay"
        self.to_act = (seat,)

    def cards_due(self, seat: int) -> int:
        """The number of cards this seat must lay: three, or its last one or two (ID2, ID5)."""
        held = self.hands[seat].bit_count()
        return min(CLAIM_SIZE, held) if self.game.options["last"] == "any" else CLAIM_SIZE

    def next_seat(self, seat: int) -> int:
        """The seat whose turn comes next (C4)."""
        return (seat + 1) % self.players

    def lay(self, seat: int, laid: Sequence[int], rank: str) -> None:
        """Lays cards face down and claims a rank; the next seat answers first (ID2, ID3)."""
        begun = bool(self.turns) and self.turns[-1].seat == seat and not self.turns[-1].laid
        if not begun:
            self.turns.append(Turn(seat))
        turn = self.turns[-1]
        turn.laid, turn.rank = tuple(laid), rank
        self.hands[seat] ^= card_set(laid)
        self.claims += 1
        self.phase = "answer"
        self.to_act = (self.next_seat(seat),)

    def answer(self, seat: int, action: str) -> None:
        """Doubts the claim or passes; if everybody has passed, it stands (ID3, ID4)."""
        turn = self.turns[-1]
        if action == "doubt":
            turn.doubter = seat
            turn.truth = all(FULL_DECK.texts[card][0] == turn.rank for card in turn.laid)
            if not turn.truth:
                self.pay(turn.seat, seat, self.lie_fee)
            self.settle_claim(taker=seat if turn.truth else turn.seat)
        else:
            turn.passed_seats.append(seat)
            self.to_act = (self.next_seat(seat),)
            if self.to_act == (turn.seat,):
                self.settle_claim(taker=None)

    def settle_claim(self, taker: int | None) -> None:
        """Moves the cards laid, then ends the deal or begins the next turn (ID3 - ID8)."""
        turn = self.turns[-1]
        self.middle += turn.laid
        if taker is not None:
            turn.taker, turn.taken_count = taker, len(self.middle)
            self.hands[taker] |= card_set(self.middle)
            self.middle = []
        if not self.hands[turn.seat]:
            self.end_deal(turn.seat)
        elif self.claims == self.game.options["max_turns"]:
            sizes = self.hand_sizes()
            smallest = slate.leaders(sizes, range(self.players))
            self.end_deal(smallest[0] if len(smallest) == 1 else None)
        else:
            self.begin_turn(self.next_seat(turn.seat))

    def trick_in_progress(self) -> bool:
        """Whether a claim is being answered."""
        return self.phase == "answer"

    def frozen_parts(self) -> Sequence[Turn]:
        """All turns except the last, which may still be answered."""
        return self.turns[:-1]

    # Chips.

    @property
    def lie_fee(self) -> int:
        """The chips that a caught liar pays the doubter (ID9)."""
        fee = self.game.options["lie_fee"]
        assert isinstance(fee, int)
        return fee

    def pay(self, giver: int, taker: int, chips: int) -> None:
        """Moves chips within this deal."""
        self.fees[giver] -= chips
        self.fees[taker] += chips

    def end_deal(self, winner: int | None) -> None:
        """Pays the winner by the cards the others hold; deals again or ends the match (ID6 - ID8).

        Each other player pays one chip for each card more than the winner holds.
        """
        left = self.hand_sizes()
        for seat in range(self.players):
            if winner is not None:
                self.pay(seat, winner, left[seat] - left[winner])
        changed = self.fees
        self.chips = [sum(pair) for pair in zip(self.chips, changed, strict=True)]
        self.rounds.append(
            {
                "dealer": self.dealer,
                "trump": None,
                "tricks": [],
                "points": list(changed),
                "marks": [f"{chips:+d}" if chips else "0" for chips in changed],
                "claims": self.claims,
                "chips": list(changed),
                "left": left,
            }
        )
        self.clear()
        if len(self.rounds) == self.game.options["rounds"]:
            self.finish(slate.leaders([-own for own in self.chips], range(self.players)))
        else:
            self.next_deal()

    def standing(self) -> list[Json]:
        """The chips of each seat after the deals that have ended (ID7)."""
        return [{"chips": chips} for chips in self.chips]

    # Actions.

    def legal(self, seat: int) -> Sequence[str]:
        """Each set of cards to lay with each rank to claim, as a lazy sequence; or the answers."""
        if seat not in self.to_act:
            return ()
        if self.phase == "answer":
            return ANSWERS
        return LegalClaims(
            FULL_DECK.texts_of(self.hands[seat]), self.cards_due(seat), FULL_DECK.ranks
        )

    def act(self, seat: int, action: str) -> str:
        """Lays or answers; an illegal action is refused with the reason (C12)."""
        refusal = self.refusal(seat, action)
        if refusal is not None:
            raise IllegalAction(action, refusal, self.legal(seat))
        words = _upper_words(action)
        if self.phase == "answer":
            self.answer(seat, words[0].lower())
            return words[0].lower()
        cards, rank = words[1:-2], words[-1]
        self.lay(seat, [FULL_DECK.numbers[card] for card in cards], rank)
        return claim_text(cards, rank)

    def refusal(self, seat: int, action: str) -> Refusal | None:
        """Why a seat may not lay or answer in this way now; None when it may."""
        out_of_turn = self.turn_refusal(seat)
        if out_of_turn is not None:
            return out_of_turn
        words = _upper_words(action)
        if self.phase == "lay":
            return self.lay_refusal(seat, words)
        if words in (["DOUBT"], ["PASS"]):
            return None
        turn = self.turns[-1]
        claim = f"seat {turn.seat} claims {len(turn.laid)} × {turn.rank}"
        return Refusal("ID3", "answer", f"{claim}: an answer is due, doubt or pass")

    def lay_refusal(self, seat: int, words: Sequence[str]) -> Refusal | None:
        """Why these words, in upper case, are not a legal lay of this seat; None when they are."""
        due = self.cards_due(seat)
        clause = "ID2" if due == CLAIM_SIZE else "ID5"
        match words:
            case ["LAY", *texts, "AS", rank] if len(rank) == 1 and rank in FULL_DECK.ranks:
                pass
            case _:
                example = "lay 3C 7D KD as J" if due == CLAIM_SIZE else "lay 3C as J"
                text = (
                    f"it is your turn to lay cards and claim a rank of {FULL_DECK.ranks}: {example}"
                )
                return Refusal(clause, "lay", text)
        try:
            cards = FULL_DECK.parse_all(texts)
        except GameError as error:
            return Refusal(clause, "lay", str(error))
        absent = FULL_DECK.texts_of(card_set(cards) & ~self.hands[seat])
        if absent:
            return Refusal(clause, "not_held", f"seat {seat} does not hold {' '.join(absent)}")
        if len(cards) != due or len(set(cards)) != due:
            different = "1 card is" if due == 1 else f"{due} different cards are"
            return Refusal(clause, "lay", f"{different} laid now, not {shorten(' '.join(texts))!r}")
        return None

    # What can be seen.

    def hand(self, seat: int) -> int:
        """The set of cards a seat holds."""
        return self.hands[seat]

    def hand_sizes(self) -> list[int]:
        """The number of cards each seat holds."""
        return [hand.bit_count() for hand in self.hands]

    def redact_action(self, actor: int, action: str, reader: int | None) -> str:
        """Tells others only the number of cards laid and the claim: `lay 3 as J` (ID2)."""
        words = action.split()
        if actor == reader or words[0] != "lay":
            return action
        return claim_text([str(len(words) - 3)], words[-1])

    def private_view(self, seat: int) -> Json:
        """The turns as far as this seat may know them."""
        return {"turns": [one.view_for(seat) for one in self.turns]}

    def table_view(self, seat: int | None) -> Json:
        """The size of the middle, the open claim, and the turns as far as this reader may know."""
        claim = None
        if self.phase == "answer":
            turn = self.turns[-1]
            claim = {"seat": turn.seat, "rank": turn.rank, "count": len(turn.laid)}
        return {
            "hand_sizes": self.hand_sizes(),
            "trick": [],
            "last_trick": None,
            "tricks": [],
            "trump": None,
            "points": list(self.fees),
            "middle": len(self.middle),
            "claim": claim,
            "claims": self.claims,
            "turns": [one.view_for(seat) for one in self.turns],
        }
