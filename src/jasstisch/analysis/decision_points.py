"""The decisions of finished rounds that can be analysed.

Each is kept with the view that its player had at that moment, so that it can be evaluated apart
from the others.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jasstisch.analysis.game_metric import metric_of
from jasstisch.engine.errors import GameError, quote
from jasstisch.games.rules import Json
from jasstisch.match.match import Match


@dataclass(frozen=True, slots=True)
class DecisionPoint:
    """A decision to be evaluated, with all that is needed for it; see `analysable_decisions`."""

    round: int
    step: int
    view: Json
    legal: Sequence[str]
    played: str


def analysable_decisions(
    match: Match | Mapping[str, Any], number: int | None = None, seat: int | None = None
) -> tuple[DecisionPoint, ...]:
    """Returns the decisions of finished rounds with more than one legal action.

    Raises:
        GameError: the round is not finished, there is no such seat, or the game cannot be analysed.
        RecordError: the record is invalid.
    """
    if not isinstance(match, Match):
        match = Match.from_record(match)
    check_analysable(match, number, seat)
    numbers = finished_rounds(match, number)
    return tuple(
        one
        for one in decision_points(match)
        if one.round in numbers and seat in (None, one.view["seat"]) and len(one.legal) > 1
    )


def check_analysable(match: Match, number: int | None, seat: int | None) -> None:
    """Checks what `analyse` would refuse, before an expensive preparation.

    Raises:
        GameError: the round is not finished, there is no such seat, or the game cannot be analysed.
    """
    metric_of(match.game.name)
    finished_rounds(match, number)
    _check_seat(match, seat)


def finished_rounds(match: Match, number: int | None) -> range:
    """Returns the numbers of the rounds to analyse.

    Raises:
        GameError: there is no such round, or it is not finished.
    """
    done = len(match.rounds)
    if not done:
        raise GameError("no round of this match is finished; only finished rounds are analysed")
    if number is None:
        return range(1, done + 1)
    if type(number) is not int or not 1 <= number <= done:
        raise GameError(
            f"round {quote(number)} is not finished; the finished rounds are 1 to {done}"
        )
    return range(number, number + 1)


def _check_seat(match: Match, seat: int | None) -> None:
    """Checks that the match has a seat.

    Raises:
        GameError: there is no such seat.
    """
    last = match.game.players - 1
    if seat is not None and (type(seat) is not int or not 0 <= seat <= last):
        raise GameError(f"no seat {quote(seat)}; the seats are 0 to {last}")


def decision_points(match: Match) -> Iterator[DecisionPoint]:
    """Yields all actions of the finished rounds, with the view and the legal actions before each.

    A void deal (MV7) belongs to no round and is not analysed. Neither are the cards of the other
    players once one seat takes all remaining tricks: the table plays them automatically, and they
    make no difference.
    """
    again = Match(match.game, match.players)
    dealt: list[DecisionPoint] = []
    laid: set[int] = set()
    log = match.record()["log"]
    for step, (who, action) in enumerate(log, start=1):
        before = len(again.rounds)
        if who == "pack":
            if again.view(None)["phase"] == "deal":
                dealt = []
            again.deal(action)
        else:
            view, legal = again.view(who), again.legal(who)
            laid |= _forced_steps(view, again.sure_tricks(who), log, step)
            if step not in laid:
                dealt.append(DecisionPoint(before + 1, step, view, legal, action))
            again.act(who, action)
        if len(again.rounds) > before:
            yield from dealt
            dealt = []


def _forced_steps(
    view: Json, rest: Sequence[str], log: Sequence[Sequence[Any]], step: int
) -> set[int]:
    """Returns the steps in which the others play while a seat takes all tricks left; else none.

    Args:
        view: the view of the seat to act.
        rest: how it takes them, if it is sure of all of them.
        log: the log of the match.
        step: the step at which it acts, from 1.
    """
    if not rest:
        return set()
    cards = sum(view["hand_sizes"])
    left = list(enumerate(log[step - 1 : step - 1 + cards], start=step))
    own = [action for _, (who, action) in left if who == view["seat"]]
    taken = own == [*rest] and len(left) == cards
    return {one for one, (who, _) in left if who != view["seat"]} if taken else set()
