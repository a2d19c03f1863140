"""A match as a table: one row for each decision, with the information at that time and the outcome.

The rows are meant for statistics and machine learning on records. They are produced deal by deal
while the match is replayed, so that few of them are in memory at a time. `jasstisch.data` writes
columns from the same iteration over a match.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypedDict

from jasstisch.games.contracts import ContractView
from jasstisch.games.rules import Json
from jasstisch.games.views import declares_keys
from jasstisch.match.match import Match

MAX_LISTED = 200
"""The most legal actions listed in a row. Only lays exceed it, and the hand determines them."""


class DecisionRow(TypedDict):
    """One decision as a row. Columns are numbers and texts, null where they do not apply.

    Attributes:
        step: the entry of the log, from 1.
        deal: the deal of the match, from 1; void deals count.
        round: the round it belongs to, from 1.
        phase: as in a view: `play`, `bid`, `announce`, `lay`, …
        trick: the trick of the round in which a card is played, from 1; 0 for anything else.
        seat: the seat that decides.
        player: the player's name.
        dealer: the seat that dealt.
        trump: the letter of the trump suit.
        contract: the contract announced.
        table: the cards of the trick in progress in order of play, each after its seat: `1:JC`.
        hand: the player's cards, separated by spaces.
        legal: the legal actions, separated by ` | `; null where there are more than `MAX_LISTED`.
        legal_count: the number of legal actions.
        choice: the action taken.
        points: the player's points in this round so far, as far as they may know them.
        round_points: the player's points in the finished round.
        mark: the player's mark in that round.
        won: 1 where the player has won the match, 0 where not; null while it is not over.
    """

    step: int
    deal: int
    round: int
    phase: str
    trick: int
    seat: int
    player: str
    dealer: int | None
    trump: str | None
    contract: str | None
    table: str
    hand: str
    legal: str | None
    legal_count: int
    choice: str
    points: int | None
    round_points: int | None
    mark: str | None
    won: int | None


COLUMNS = tuple(DecisionRow.__annotations__)
"""The columns in their order."""


class Decision(NamedTuple):
    """A decision, with the situation before it.

    Attributes:
        step: the entry of the log, from 1.
        deal: the deal of the match, from 1; void deals count.
        seat: the seat that decides.
        view: the view of that seat; read-only, and valid until the next item is requested.
        legal: the legal actions.
        choice: the action taken.
    """

    step: int
    deal: int
    seat: int
    view: Json
    legal: Sequence[str]
    choice: str


class DealOutcome(NamedTuple):
    """The outcome of the decisions since the previous outcome.

    Attributes:
        finished_round: the finished round; None where the deal was void or is not finished.
    """

    finished_round: Json | None


def iter_decisions(match: Match) -> Iterator[Decision | DealOutcome]:
    """The decisions of a match in order; those of each deal are followed by their outcome.

    The deal in progress has an outcome too, whose round is None.
    """
    again = Match(match.game, match.players)
    deals = rounds = 0
    for step, (actor, text) in enumerate(match.record()["log"], start=1):
        if actor != "pack":
            view = again.spectator_view() | again.private_view(actor)
            yield Decision(step, deals, actor, view, again.legal(actor), text)
            again.act(actor, text)
        else:
            if again.spectator_view()["phase"] == "deal":
                yield DealOutcome(None)
                deals += 1
            again.deal(text)
        # Only a pack or the end of the log follows a finished round, so look for one only there.
        if (again.needs_pack or again.over) and len(again.rounds) > rounds:
            yield DealOutcome(again.rounds[rounds])
            rounds += 1
    yield DealOutcome(None)


def trick_number(view: Json) -> int:
    """The trick of the round in which a card is played, from 1; 0 for anything else."""
    return len(view["tricks"]) + 1 if view["phase"] == "play" else 0


def contract_of(view: Json) -> str | None:
    """The contract of the round, in games with a contract."""
    return view["contract"] if declares_keys(view, ContractView) else None


def rows(match: Match) -> Iterator[DecisionRow]:
    """The decisions of a match in order, including those of a round in progress.

    A void deal belongs to no round: its outcome columns are null.
    """
    won = match.winners if match.over else None
    dealt: list[DecisionRow] = []
    for one in iter_decisions(match):
        if isinstance(one, Decision):
            dealt.append(_row(one, won))
            continue
        if one.finished_round is not None:
            for row in dealt:
                _fill_outcome(row, one.finished_round)
        yield from dealt
        dealt = []


def _row(decision: Decision, won: list[int] | None) -> DecisionRow:
    """The row of a decision, without the outcome of its round."""
    view, legal, seat = decision.view, decision.legal, decision.seat
    return {
        "step": decision.step,
        "deal": decision.deal,
        "round": view["round"],
        "phase": view["phase"],
        "trick": trick_number(view),
        "seat": seat,
        "player": view["players"][seat],
        "dealer": view["dealer"],
        "trump": view["trump"],
        "contract": contract_of(view),
        "table": " ".join([f"{other}:{card}" for other, card in view["trick"]]),
        "hand": " ".join(view["hand"]),
        "legal": " | ".join(legal) if len(legal) <= MAX_LISTED else None,
        "legal_count": len(legal),
        "choice": decision.choice,
        "points": view["points"][seat],
        "round_points": None,
        "mark": None,
        "won": None if won is None else int(seat in won),
    }


def _fill_outcome(row: DecisionRow, finished: Json) -> None:
    """Fills in the outcome of the round of a decision."""
    seat = row["seat"]
    row["round_points"], row["mark"] = finished["points"][seat], finished["marks"][seat]
