"""Data sets of decisions as Parquet files: one row for each decision, for analysis and training.

This package decides the columns of the table and how rows are made, written and read. `self_play`
generates matches of bots, and `from_matches` takes matches that were played; both yield batches of
rows as they are made. `write` puts batches into a file, and `scan` reads any number of files
lazily. Few rows are in memory at any time.

It does not decide how bots play or what a record contains; the same decisions as plain text come
from `jasstisch.match.decisions`. Begin with `columns`, then `selfplay`.

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
from jasstisch.data.multi_hot_encoding import multi_hot
from jasstisch.data.selfplay import self_play

__all__ = [
    "COLUMNS", "ROW_GROUP", "SCHEMA", "Column", "from_matches", "multi_hot", "scan", "self_play",
    "write",
]  # fmt: skip
