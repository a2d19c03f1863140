"""What has come of the matches at a table: who played, who won, what it counted, what it cost.

It is folded once from the log of the table, and kept beside it (`store.results`), so that whoever
has played a thousand matches need not wait until a thousand logs have been read again.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from jasstisch.match.match import Match
from jasstisch.server.tables.analysis_jobs import ANALYSIS_FORMAT
from jasstisch.table import State, Table
from jasstisch.table.events import Event, NicknameReplaced

__all__ = [
    "MatchResult",
    "StandingValue",
    "TableResults",
    "compute_results",
    "decode_results",
    "with_analysis",
]

FORMAT = "jasstisch-results/1"
"""How kept results are written; those that are written otherwise are made anew."""

StandingValue = int | float | str
"""What a player has gathered in a match."""


class MatchResult(Struct):
    """What has come of one match.

    Attributes:
        number: which match of its table.
        ended: seconds since 1970.
        players: their names, by seats.
        seats: who held which seat in it.
        winners: the seats that won.
        standing: what each seat has gathered, by which the match is decided; None where the game
            has not said what that is.
        rounds: how many were played.
        figures: for each seat the sum of its figure over these rounds; None where the game has
            none.
        lost: for each seat what its mistakes have cost; None without an analysis.
        decisions: for each seat how many were judged; None without an analysis.
        resumed: how many of its steps were taken over from another match.
        characters: for each seat that of its computer, see `SeatInfo`; None where they are the
            numbers of the seats.
    """

    number: int
    ended: int
    players: list[str]
    seats: dict[str, int]
    winners: list[int]
    standing: list[StandingValue] | None
    rounds: int
    figures: list[float] | None
    lost: list[float] | None = None
    decisions: list[int] | None = None
    resumed: int = 0
    characters: list[int] | None = None


class TableResults(Struct):
    """What has come of the matches of a table that are over.

    Attributes:
        format: how it is written.
        version: how long the log of the table was.
        game: what was played there.
        matches: those that are over, in order.
    """

    format: str
    version: int
    game: str
    matches: list[MatchResult]


class _AnalysedDecision(Struct):
    seat: int


class _AnalysisSummary(Struct):
    """What is read here of an analysis as it is kept."""

    format: str
    decisions: list[_AnalysedDecision]
    lost: list[float]


def decode_results(body: bytes) -> TableResults | None:
    """Results as they are kept; None where they are kept in another form."""
    try:
        found = msgspec.json.decode(body, type=TableResults)
    except msgspec.MsgspecError:
        return None
    return found if found.format == FORMAT else None


def compute_results(events: Sequence[Event], times: Mapping[int, float]) -> TableResults:
    """What has come of the matches of a table, analyses apart.

    Names that were taken away from people since are not in it.

    Args:
        events: the whole log of the table.
        times: when each of them was added, by its version.

    Raises:
        ValueError: the log is damaged.
    """
    table = Table.from_events(events[:1])
    state = table.state
    found: list[MatchResult] = []
    for event in events[1:]:
        if isinstance(event, NicknameReplaced):
            for one in found:
                one.players = state.replace_nicknames(one.players, event)
        table.apply(event)
        match = state.match
        if match is not None and match.over and len(found) < state.match_number:
            ended = int(times.get(table.version, 0))
            found.append(_match_result(state, ended, match))
    return TableResults(FORMAT, table.version, state.created.game, found)


def with_analysis(result: MatchResult, body: bytes) -> None:
    """Adds to a match what its analysis has found, where that can be read.

    Args:
        result: the match.
        body: its analysis, as it is kept.
    """
    try:
        analysis = msgspec.json.decode(body, type=_AnalysisSummary)
    except msgspec.MsgspecError:
        return
    if analysis.format != ANALYSIS_FORMAT or len(analysis.lost) != len(result.players):
        return
    result.lost = analysis.lost
    result.decisions = [0] * len(result.players)
    for one in analysis.decisions:
        result.decisions[one.seat] += 1


def _match_result(state: State, ended: int, match: Match) -> MatchResult:
    figure, rounds = match.game.rules.metric, match.rounds
    sums = None
    if figure is not None:
        scored = [figure.of_round(one) for one in rounds]
        sums = [float(sum(seat)) for seat in zip(*scored, strict=True)] if scored else None
    key = "" if figure is None else figure.standing_key
    gathered: list[Any] = [one.get(key) for one in match.standing]
    plain = all(isinstance(one, StandingValue) for one in gathered)
    return MatchResult(
        number=state.match_number,
        ended=ended,
        players=match.players,
        seats=dict(state.seat_by_person),
        winners=match.winners,
        standing=gathered if plain else None,
        rounds=len(rounds),
        figures=sums,
        resumed=state.resumed_steps,
        characters=[place.character for place in state.seats],
    )
