"""A match as a table: one row for each decision, with what was known then and what came of it.

The rows are what somebody who counts or learns from records wants in front of him. They are made
deal by deal while the match is played again, so that however long it is, few of them are held.
"""

from collections.abc import Iterator
from typing import TypedDict

from jasstisch.games.contracts import ContractView
from jasstisch.games.rules import Json
from jasstisch.games.views import shows
from jasstisch.match import Match

__all__ = ["COLUMNS", "MOST_LISTED", "DecisionRow", "rows"]

MOST_LISTED = 200
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


def rows(match: Match) -> Iterator[DecisionRow]:
    """The decisions of a match in order, those of a round in progress too.

    A deal that was void belongs to no round: what came of it is null.
    """
    again = Match(match.game, match.players)
    won = match.winners if match.over else None
    dealt: list[DecisionRow] = []
    deals = 0
    for step, (actor, text) in enumerate(match.record()["log"], start=1):
        before = len(again.rounds)
        if actor != "pack":
            dealt.append(_row(again, actor, text, step, deals, won))
            again.act(actor, text)
        else:
            if again.glance()["phase"] == "deal":
                yield from dealt
                dealt, deals = [], deals + 1
            again.shuffle(text)
        if len(again.rounds) > before:
            yield from (_ended(one, again.rounds[before]) for one in dealt)
            dealt = []
    yield from dealt


def _row(
    match: Match, seat: int, choice: str, step: int, deal: int, won: list[int] | None
) -> DecisionRow:
    """A decision as it stood before it was made."""
    view = match.glance() | match.private(seat)
    legal = match.legal(seat)
    playing = view["phase"] == "play"
    return {
        "step": step,
        "deal": deal,
        "round": view["round"],
        "phase": view["phase"],
        "trick": len(view["tricks"]) + 1 if playing else 0,
        "seat": seat,
        "player": view["players"][seat],
        "dealer": view["dealer"],
        "trump": view["trump"],
        "contract": view["contract"] if shows(view, ContractView) else None,
        "table": " ".join([f"{other}:{card}" for other, card in view["trick"]]),
        "hand": " ".join(view["hand"]),
        "legal": " | ".join(legal) if len(legal) <= MOST_LISTED else None,
        "legal_count": len(legal),
        "choice": choice,
        "points": view["points"][seat],
        "round_points": None,
        "mark": None,
        "won": None if won is None else int(seat in won),
    }


def _ended(row: DecisionRow, finished: Json) -> DecisionRow:
    """A decision of a round that has ended: what came of it is known."""
    seat = row["seat"]
    row["round_points"], row["mark"] = finished["points"][seat], finished["marks"][seat]
    return row
