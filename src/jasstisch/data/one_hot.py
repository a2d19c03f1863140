"""Columns of cards and actions as the matrices that nets are fed with."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

__all__ = ["multi_hot"]


def multi_hot(column: Any, texts: Sequence[str]) -> NDArray[np.bool_]:  # noqa: ANN401 - pyarrow has no types
    """Which of some texts each row of a column holds, as booleans (rows, texts).

    Args:
        column: an array of texts, of lists of texts, or of lists of seats with cards, whose cards
            are meant. Null holds nothing.
        texts: what is looked for, such as `jasstisch.engine.cards.JASS.texts`; a text that is not
        among
            them counts for nothing.
    """
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    result = np.zeros((len(whole), len(texts)), dtype=np.bool_)
    rows = np.arange(len(whole))
    if pa.types.is_list(whole.type):
        rows = pc.list_parent_indices(whole).to_numpy()
        whole = whole.flatten()
    if pa.types.is_struct(whole.type):
        whole = whole.field("card")
    places = pc.index_in(whole, value_set=pa.array(texts, pa.string()))
    found = places.is_valid().to_numpy(zero_copy_only=False)
    result[rows[found], places.drop_null().to_numpy()] = True
    return result
