"""The results of a table's matches: players, winners, scores, and the cost of mistakes.

Results are computed once from the log of the table and stored beside it (`StoredResults`). So a
person with a thousand matches need not wait until a thousand logs have been read again.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from jasstisch.match.match import Match
from jasstisch.server.tables.analysis_jobs import ANALYSIS_FORMAT
from jasstisch.table import State, Table
from jasstisch.table.events import Event, NicknameReplaced

_FORMAT = "jasstisch-results/1"
"""The format of stored results; those in another format are computed again."""

StandingValue = int | float | str
"""A player's score in a match."""


class MatchResult(Struct):
    """The result of one match.

    Attributes:
        number: the number of the match at its table.
        ended: when it ended, in seconds since 1970.
        players: the players' names, by seat.
        seats: the seat of each person in it.
        winners: the seats that won.
        standing: the score of each seat, which decides the match; None where the game does not
            define it.
        rounds: the number of rounds played.
        figures: for each seat the sum of its metric over the rounds; None where the game has none.
        lost: for each seat the cost of its mistakes; None without an analysis.
        decisions: for each seat the number of analysed decisions; None without an analysis.
        resumed: the number of steps taken over from another match.
        characters: for each seat the character of its bot, see `SeatInfo`; None where they are the
            seat numbers.
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
    """The results of the finished matches of a table.

    Attributes:
        format: the format of the results.
        version: the length of the table's log.
        game: the game played at the table.
        matches: the finished matches, in order.
    """

    format: str
    version: int
    game: str
    matches: list[MatchResult]


class _AnalysedDecision(Struct):
    seat: int


class _AnalysisSummary(Struct):
    """The parts of a stored analysis that are read here."""

    format: str
    decisions: list[_AnalysedDecision]
    lost: list[float]


def decode_results(body: bytes) -> TableResults | None:
    """Decodes stored results; None if they are in another format."""
    try:
        found = msgspec.json.decode(body, type=TableResults)
    except msgspec.MsgspecError:
        return None
    return found if found.format == _FORMAT else None


def compute_results(events: Sequence[Event], times: Mapping[int, float]) -> TableResults:
    """The results of a table's matches, without analyses.

    Nicknames that have been removed since do not appear in them.

    Args:
        events: the whole log of the table.
        times: when each event was appended, by version.

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
    return TableResults(_FORMAT, table.version, state.creation_event.game, found)


def attach_analysis(result: MatchResult, body: bytes) -> None:
    """Adds the result of an analysis to a match, if it can be read.

    Args:
        result: the match.
        body: its analysis, as stored.
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
        resumed=state.resumed_step_count,
        characters=[place.character for place in state.seats],
    )
