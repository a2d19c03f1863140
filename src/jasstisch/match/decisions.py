"""A match as a table: one row for each decision, with what was known then and what came of it.

The rows are what somebody who counts or learns from records wants in front of him. They are made
deal by deal while the match is played again, so that however long it is, few of them are held.
`jasstisch.data` makes columns of the same walk through a match.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypedDict

from jasstisch.games.contracts import ContractView
from jasstisch.games.rules import Json
from jasstisch.games.views import declares_keys
from jasstisch.match.match import Match

__all__ = [
    "COLUMNS",
    "MAX_LISTED",
    "DealOutcome",
    "Decision",
    "DecisionRow",
    "contract_of",
    "iter_decisions",
    "rows",
    "trick_number",
]  # fmt: skip

MAX_LISTED = 200
"""So many legal actions are listed at most. Only lays are more, and they follow from the hand."""


class DecisionRow(TypedDict):
    """One decision. Columns are numbers and texts, null where there is nothing to say.

    Attributes:
        step: the entry of the log, from 1.
        deal: the deal of the match, from 1; void ones count.
        round: the round it belongs to, from 1.
        phase: as in a view: `play`, `bid`, `announce`, `lay`, …
        trick: the trick of the round in which a card is played, from 1; 0 for anything else.
        seat: who decides.
        player: his name.
        dealer: the seat that dealt.
        trump: the letter of the trump suit.
        contract: what was announced.
        table: the cards of the trick in progress in order of play, each behind its seat: `1:JC`.
        hand: his cards, separated by spaces.
        legal: the actions open to him, separated by ` | `; null where they are too many.
        legal_count: how many they are.
        choice: what he did.
        points: his points in this round so far, as he may know them.
        round_points: his points in the finished round.
        mark: what was written for him in that round.
        won: 1 where he has won the match, 0 where not; null while it is not over.
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
    """A decision as it stood before it was made.

    Attributes:
        step: the entry of the log, from 1.
        deal: the deal of the match, from 1; void ones count.
        seat: who decides.
        view: what he knows; nothing may be written into it, and it holds until the next is asked
            for.
        legal: the actions open to him.
        choice: what he did.
    """

    step: int
    deal: int
    seat: int
    view: Json
    legal: Sequence[str]
    choice: str


class DealOutcome(NamedTuple):
    """What came of the decisions since the last outcome.

    Attributes:
        finished: the round as it ended; None where the deal was void or is not finished.
    """

    finished: Json | None


def iter_decisions(match: Match) -> Iterator[Decision | DealOutcome]:
    """The decisions of a match in order, and after those of each deal what came of them.

    The deal in progress has an outcome too, of which nothing is known.
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
        # A round that has ended is followed by a pack or by nothing: only then is it worth a look.
        if (again.needs_pack or again.over) and len(again.rounds) > rounds:
            yield DealOutcome(again.rounds[rounds])
            rounds += 1
    yield DealOutcome(None)


def trick_number(view: Json) -> int:
    """The trick of the round in which a card is played, from 1; 0 for anything else."""
    return len(view["tricks"]) + 1 if view["phase"] == "play" else 0


def contract_of(view: Json) -> str | None:
    """What was announced, in games with a contract."""
    return view["contract"] if declares_keys(view, ContractView) else None


def rows(match: Match) -> Iterator[DecisionRow]:
    """The decisions of a match in order, those of a round in progress too.

    A deal that was void belongs to no round: what came of it is null.
    """
    won = match.winners if match.over else None
    dealt: list[DecisionRow] = []
    for one in iter_decisions(match):
        if isinstance(one, Decision):
            dealt.append(_row(one, won))
            continue
        if one.finished is not None:
            for row in dealt:
                _fill_outcome(row, one.finished)
        yield from dealt
        dealt = []


def _row(decision: Decision, won: list[int] | None) -> DecisionRow:
    """A decision as it stood before it was made."""
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
    """Writes down what came of the round of a decision."""
    seat = row["seat"]
    row["round_points"], row["mark"] = finished["points"][seat], finished["marks"][seat]
