"""The columns of a table of decisions, and how those of matches are made.

The first columns are those of the table as text (`jasstisch.match.decisions`), with the same
meaning and with types; those that follow say the rest of what a player sees who is about to act,
and what the round was worth to him. They are small columns by name and not the flat array that the
environments
show: that holds four hundred numbers for what thirty columns say, has another length in each game,
and cannot be asked for the decisions with a certain trump.

A value is appended to its column when its decision comes by, and a batch is made of whole columns:
no row is ever an object of its own.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from jasstisch.games.contracts import ContractView
from jasstisch.games.differenzler import DifferenzlerView
from jasstisch.games.jass import JassView
from jasstisch.games.rules import Game, Json
from jasstisch.games.views import declares_keys
from jasstisch.match.decisions import (
    MAX_LISTED,
    DealOutcome,
    Decision,
    contract_of,
    iter_decisions,
    trick_number,
)
from jasstisch.match.match import Match

__all__ = ["BATCH_ROWS", "COLUMNS", "FORMAT", "SCHEMA", "Column", "RowBuilder", "from_matches"]

FORMAT = "jasstisch-decisions/1"
"""Stands in the metadata of every file. One that is read differently has another number."""

BATCH_ROWS = 8192
"""A batch of rows is full when it has so many; its last deal is always whole."""

SEAT_CARD_STRUCT = pa.struct([("seat", pa.int8()), ("card", pa.string())])


class Column(NamedTuple):
    """One column.

    Attributes:
        name: its name.
        kind: its type in Arrow.
    """

    name: str
    kind: Any


COLUMNS = (
    Column("match", pa.int32()),
    Column("file", pa.string()),
    Column("game", pa.string()),
    Column("step", pa.int32()),
    Column("deal", pa.int32()),
    Column("round", pa.int32()),
    Column("phase", pa.string()),
    Column("trick", pa.int8()),
    Column("seat", pa.int8()),
    Column("player", pa.string()),
    Column("dealer", pa.int8()),
    Column("trump", pa.string()),
    Column("contract", pa.string()),
    Column("table", pa.list_(SEAT_CARD_STRUCT)),
    Column("hand", pa.list_(pa.string())),
    Column("legal", pa.list_(pa.string())),
    Column("legal_count", pa.int32()),
    Column("choice", pa.string()),
    Column("points", pa.int32()),
    Column("round_points", pa.int32()),
    Column("mark", pa.string()),
    Column("won", pa.bool_()),
    Column("played", pa.list_(SEAT_CARD_STRUCT)),
    Column("all_points", pa.list_(pa.int32())),
    Column("standing", pa.list_(pa.int32())),
    Column("bids", pa.list_(pa.int16())),
    Column("announcer", pa.int8()),
    Column("factor", pa.int8()),
    Column("pushes", pa.int8()),
    Column("playing", pa.list_(pa.int8())),
    Column("reward", pa.int32()),
)
"""The columns in their order; docs/data.md says what each holds."""

SCHEMA = pa.schema(list(COLUMNS), metadata={"jasstisch": FORMAT})
"""The same for Arrow."""


def from_matches(named: Iterable[tuple[str | None, Match]]) -> Iterator[Any]:
    """The decisions of some matches, batch by batch, each match asked for when its turn comes.

    Args:
        named: the matches, each with what shall stand in the column `file`, such as the name of the
            record it was read from.

    Yields:
        A `pyarrow.RecordBatch` by `SCHEMA`.
    """
    builder = RowBuilder()
    for number, (file, match) in enumerate(named, start=1):
        for rows in builder.add(number, file, match):
            if rows >= BATCH_ROWS:
                yield builder.batch()
    if builder.rows:
        yield builder.batch()


class RowBuilder:
    """Rows that are being gathered, column by column."""

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        lists = [pa.types.is_list(column.kind) for column in COLUMNS]
        self._cells: dict[str, list[Any]] = {
            column.name: [] for column, is_list in zip(COLUMNS, lists, strict=True) if not is_list
        }
        self._lists = {
            column.name: ListColumn(column.kind)
            for column, is_list in zip(COLUMNS, lists, strict=True)
            if is_list
        }

    @property
    def rows(self) -> int:
        """How many there are."""
        return len(self._cells["match"])

    def add(self, number: int, file: str | None, match: Match) -> Iterator[int]:
        """Adds the decisions of a match.

        Yields:
            How many rows there are, after each deal.
        """
        won = [seat in match.winners for seat in range(match.game.players)] if match.over else None
        figures = ScoreColumns(match.game)
        seats: list[int] = []
        played: list[tuple[int, str]] = []
        for one in iter_decisions(match):
            if isinstance(one, Decision):
                self._add_decision(one, figures, played)
                seats.append(one.seat)
                if one.choice.startswith("play "):
                    played.append((one.seat, one.choice.split()[1]))
                continue
            self._add_outcome(seats, one, figures)
            for name, value in (("match", number), ("file", file), ("game", match.game.name)):
                self._cells[name] += [value] * len(seats)
            self._cells["won"] += [None if won is None else won[seat] for seat in seats]
            seats, played = [], []
            yield self.rows

    def _add_decision(
        self, decision: Decision, figures: "ScoreColumns", played: Sequence[tuple[int, str]]
    ) -> None:
        """Adds what was known when a decision was made."""
        view, legal, seat = decision.view, decision.legal, decision.seat
        contracted = declares_keys(view, ContractView)
        cells, lists = self._cells, self._lists
        cells["step"].append(decision.step)
        cells["deal"].append(decision.deal)
        cells["round"].append(view["round"])
        cells["phase"].append(view["phase"])
        cells["trick"].append(trick_number(view))
        cells["seat"].append(seat)
        cells["player"].append(view["players"][seat])
        cells["dealer"].append(view["dealer"])
        cells["trump"].append(view["trump"])
        cells["contract"].append(contract_of(view))
        cells["legal_count"].append(len(legal))
        cells["choice"].append(decision.choice)
        cells["points"].append(view["points"][seat])
        cells["announcer"].append(view["by"] if contracted else None)
        cells["factor"].append(view["factor"] if contracted else None)
        cells["pushes"].append(view["pushes"] if contracted else None)
        lists["table"].append([(other, card) for other, card in view["trick"]])
        lists["hand"].append(view["hand"])
        lists["legal"].append(legal if len(legal) <= MAX_LISTED else None)
        lists["played"].append(played)
        lists["all_points"].append(view["points"])
        lists["standing"].append(figures.standing(view))
        lists["bids"].append(view["bids"] if declares_keys(view, DifferenzlerView) else None)
        lists["playing"].append(view["playing"] if declares_keys(view, JassView) else None)

    def _add_outcome(
        self, seats: Sequence[int], outcome: DealOutcome, figures: "ScoreColumns"
    ) -> None:
        """Adds what came of the decisions that these seats have made since the last outcome."""
        finished, cells = outcome.finished, self._cells
        if finished is None:
            for name in ("round_points", "mark", "reward"):
                cells[name] += [None] * len(seats)
            return
        rewards = figures.rewards(finished)
        cells["round_points"] += [finished["points"][seat] for seat in seats]
        cells["mark"] += [finished["marks"][seat] for seat in seats]
        cells["reward"] += [rewards[seat] for seat in seats]

    def batch(self) -> Any:  # noqa: ANN401 - pyarrow has no types
        """All rows as a `pyarrow.RecordBatch`; none are left."""
        cells, lists = self._cells, self._lists
        self._clear()
        arrays = [
            lists[name].array() if name in lists else scalar_column(cells[name], kind)
            for name, kind in COLUMNS
        ]
        return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)


class ScoreColumns:
    """The figures by which a game is measured, as numbers; null in a game that has none."""

    def __init__(self, game: Game) -> None:
        self._nothing = [None] * game.players
        self._figure = game.rules.metric

    def rewards(self, finished: Json) -> Sequence[int | None]:
        """What a finished round was worth to each seat: its figure, more being better."""
        figure = self._figure
        if figure is None:
            return self._nothing
        return [own if figure.higher_is_better else -own for own in figure.of_round(finished)]

    def standing(self, view: Json) -> Sequence[int] | None:
        """What each seat has gathered before this round, where that is a number."""
        if self._figure is None or not self._figure.standing_key:
            return None
        told = [one[self._figure.standing_key] for one in view["standing"]]
        return told if all(isinstance(one, int) for one in told) else None


class ListColumn:
    """The cells of a column of lists, laid out flat as Arrow has them.

    So no list is kept for a cell, which the collection of garbage would have to visit.
    """

    def __init__(self, kind: Any) -> None:  # noqa: ANN401 - pyarrow has no types
        self._kind = kind
        self._flat: list[Any] = []
        self._ends = [0]
        self._absent: list[bool] = []

    def append(self, cell: Sequence[Any] | None) -> None:
        """Adds a list; what becomes of it later does not matter."""
        if cell:
            self._flat += cell
        self._ends.append(len(self._flat))
        self._absent.append(cell is None)

    def array(self) -> Any:  # noqa: ANN401 - pyarrow has no types
        """The column."""
        absent = pa.array(self._absent, pa.bool_())
        return pa.ListArray.from_arrays(
            pa.array(self._ends, pa.int32()), self._values(), self._kind, mask=absent
        )

    def _values(self) -> Any:  # noqa: ANN401 - pyarrow has no types
        flat, kind = self._flat, self._kind.value_type
        if kind != SEAT_CARD_STRUCT:
            return pa.array(flat, kind)
        parts = [
            pa.array([seat for seat, _ in flat], pa.int8()),
            pa.array([card for _, card in flat], pa.string()),
        ]
        return pa.StructArray.from_arrays(parts, fields=list(SEAT_CARD_STRUCT))


def scalar_column(cells: Sequence[Any], kind: Any) -> Any:  # noqa: ANN401 - pyarrow has no types
    """A column of anything else."""
    return pa.array(scrub_surrogates(cells) if kind == pa.string() else cells, kind)


def scrub_surrogates(texts: Sequence[str | None]) -> Sequence[str | None]:
    """The same texts; names are free, and may hold halves of letters that no file can have."""
    known = {text: text for text in texts}
    for text in known:
        if text is not None:
            known[text] = text.encode("utf-8", "replace").decode("utf-8")
    return [known[text] for text in texts]
