"""Decisions of records and of self-play as Parquet, one row for each, to count and to learn from.

`self_play` has players meet and `of_matches` takes matches that were played; both give batches of
rows as they are made, `write` puts them into a file and `scan` reads any number of files, lazily.
Whatever their number, few rows are in memory at any time.

>>> import jasstisch as jt
>>> from jasstisch import data
>>> batches = data.self_play(jt.game("molotov"), ["greedy"] * 4, deals=2, seed=7)
>>> sum(batch.num_rows for batch in batches)
72
"""

from jasstisch.extras import require

require("data", "a table of decisions")

from jasstisch.data.columns import COLUMNS, SCHEMA, Column, from_matches
from jasstisch.data.files import ROW_GROUP, scan, write
from jasstisch.data.one_hot import multi_hot
from jasstisch.data.selfplay import self_play

__all__ = [
    "COLUMNS", "ROW_GROUP", "SCHEMA", "Column", "from_matches", "multi_hot", "scan", "self_play",
    "write",
]  # fmt: skip
