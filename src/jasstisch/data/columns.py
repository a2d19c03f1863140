"""The columns of a table of decisions, and their values for the decisions of a match.

The first columns are those of the text table (`jasstisch.match.decisions`), with the same meaning
and with types. The others hold the rest of what the acting player sees, and the reward of the
round. They are named columns instead of the flat array of the environments: the array needs four
hundred numbers for the content of thirty columns, has another length in each game, and does not
support queries such as all decisions with a certain trump.

Each value is appended to its column, and a batch is made of whole columns: no row is ever an object
of its own.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from jasstisch.games.contracts import ContractView
from jasstisch.games.differenzler import DifferenzlerView
from jasstisch.games.handjass import HandjassView
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

FORMAT = "jasstisch-decisions/1"
"""The format identifier in the metadata of every file; incompatible changes get a new number."""

BATCH_ROWS = 8192
"""The number of rows at which a batch is complete; its last deal is always whole."""

_SEAT_CARD_STRUCT = pa.struct([("seat", pa.int8()), ("card", pa.string())])


class Column(NamedTuple):
    """A column of the table.

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
    Column("table", pa.list_(_SEAT_CARD_STRUCT)),
    Column("hand", pa.list_(pa.string())),
    Column("legal", pa.list_(pa.string())),
    Column("legal_count", pa.int32()),
    Column("choice", pa.string()),
    Column("points", pa.int32()),
    Column("round_points", pa.int32()),
    Column("mark", pa.string()),
    Column("won", pa.bool_()),
    Column("played", pa.list_(_SEAT_CARD_STRUCT)),
    Column("all_points", pa.list_(pa.int32())),
    Column("standing", pa.list_(pa.int32())),
    Column("bids", pa.list_(pa.int16())),
    Column("announcer", pa.int8()),
    Column("factor", pa.int8()),
    Column("pushes", pa.int8()),
    Column("playing", pa.list_(pa.int8())),
    Column("reward", pa.int32()),
)
"""The columns in order; docs/data.md describes each."""

SCHEMA = pa.schema(list(COLUMNS), metadata={"jasstisch": FORMAT})
"""The same as an Arrow schema."""


def from_matches(named: Iterable[tuple[str | None, Match]]) -> Iterator[Any]:
    """The decisions of some matches, batch by batch; the iterable is consumed lazily.

    Args:
        named: the matches, each with the value of the column `file`, such as the name of its
            record.

    Yields:
        A `pyarrow.RecordBatch` with the schema `SCHEMA`.
    """
    builder = RowBuilder()
    for number, (file, match) in enumerate(named, start=1):
        for rows in builder.add(number, file, match):
            if rows >= BATCH_ROWS:
                yield builder.batch()
    if builder.row_count:
        yield builder.batch()


class RowBuilder:
    """A builder that gathers rows column by column."""

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        lists = [pa.types.is_list(column.kind) for column in COLUMNS]
        self._cells: dict[str, list[Any]] = {
            column.name: [] for column, is_list in zip(COLUMNS, lists, strict=True) if not is_list
        }
        self._lists = {
            column.name: _ListColumn(column.kind)
            for column, is_list in zip(COLUMNS, lists, strict=True)
            if is_list
        }

    @property
    def row_count(self) -> int:
        """The number of rows gathered."""
        return len(self._cells["match"])

    def add(self, number: int, file: str | None, match: Match) -> Iterator[int]:
        """Adds the decisions of a match.

        Yields:
            The number of rows gathered, after each deal.
        """
        won = [seat in match.winners for seat in range(match.game.players)] if match.over else None
        figures = _ScoreColumns(match.game)
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
            yield self.row_count

    def _add_decision(
        self, decision: Decision, figures: "_ScoreColumns", played: Sequence[tuple[int, str]]
    ) -> None:
        """Adds the columns of a decision that are known when it is made."""
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
        lists["playing"].append(view["playing"] if declares_keys(view, HandjassView) else None)

    def _add_outcome(
        self, seats: Sequence[int], outcome: DealOutcome, figures: "_ScoreColumns"
    ) -> None:
        """Adds the outcome to all decisions of these seats since the last outcome."""
        finished, cells = outcome.finished_round, self._cells
        if finished is None:
            for name in ("round_points", "mark", "reward"):
                cells[name] += [None] * len(seats)
            return
        rewards = figures.rewards(finished)
        cells["round_points"] += [finished["points"][seat] for seat in seats]
        cells["mark"] += [finished["marks"][seat] for seat in seats]
        cells["reward"] += [rewards[seat] for seat in seats]

    def batch(self) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Returns all rows as a `pyarrow.RecordBatch` and clears the builder."""
        cells, lists = self._cells, self._lists
        self._clear()
        arrays = [
            lists[name].array() if name in lists else _scalar_column(cells[name], kind)
            for name, kind in COLUMNS
        ]
        return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)


class _ScoreColumns:
    """The metric of a game as numbers; null in a game without one."""

    def __init__(self, game: Game) -> None:
        self._nothing = [None] * game.players
        self._figure = game.rules.metric

    def rewards(self, finished: Json) -> Sequence[int | None]:
        """The reward of each seat for a finished round: its metric, more being better."""
        figure = self._figure
        if figure is None:
            return self._nothing
        return [own if figure.higher_is_better else -own for own in figure.of_round(finished)]

    def standing(self, view: Json) -> Sequence[int] | None:
        """The total of each seat before this round, if it is a number."""
        if self._figure is None or not self._figure.standing_key:
            return None
        totals = [one[self._figure.standing_key] for one in view["standing"]]
        return totals if all(isinstance(one, int) for one in totals) else None


class _ListColumn:
    """A column of lists in the flat layout of Arrow.

    No cell is kept as a list, which the garbage collector would have to visit.
    """

    def __init__(self, kind: Any) -> None:  # noqa: ANN401 - pyarrow has no types
        self._kind = kind
        self._flat: list[Any] = []
        self._ends = [0]
        self._absent: list[bool] = []

    def append(self, cell: Sequence[Any] | None) -> None:
        """Appends a copy of a list."""
        if cell:
            self._flat += cell
        self._ends.append(len(self._flat))
        self._absent.append(cell is None)

    def array(self) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Returns the column."""
        absent = pa.array(self._absent, pa.bool_())
        return pa.ListArray.from_arrays(
            pa.array(self._ends, pa.int32()), self._values(), self._kind, mask=absent
        )

    def _values(self) -> Any:  # noqa: ANN401 - pyarrow has no types
        flat, kind = self._flat, self._kind.value_type
        if kind != _SEAT_CARD_STRUCT:
            return pa.array(flat, kind)
        parts = [
            pa.array([seat for seat, _ in flat], pa.int8()),
            pa.array([card for _, card in flat], pa.string()),
        ]
        return pa.StructArray.from_arrays(parts, fields=list(_SEAT_CARD_STRUCT))


def _scalar_column(cells: Sequence[Any], kind: Any) -> Any:  # noqa: ANN401 - pyarrow has no types
    """A column of scalars."""
    return pa.array(_scrub_surrogates(cells) if kind == pa.string() else cells, kind)


def _scrub_surrogates(texts: Sequence[str | None]) -> Sequence[str | None]:
    """Replaces lone surrogates, which nicknames may contain but UTF-8 files cannot."""
    known = {text: text for text in texts}
    for text in known:
        if text is not None:
            known[text] = text.encode("utf-8", "replace").decode("utf-8")
    return [known[text] for text in texts]
