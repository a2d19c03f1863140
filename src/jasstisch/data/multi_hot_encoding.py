"""Multi-hot encoding of columns of cards and actions, as input of neural nets."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray


def multi_hot(column: Any, texts: Sequence[str]) -> NDArray[np.bool_]:  # noqa: ANN401 - pyarrow has no types
    """Encodes the presence of some texts in each row of a column, as booleans (rows, texts).

    Args:
        column: an array of texts, of lists of texts, or of lists of seats with cards, of which the
            cards count. Null holds nothing.
        texts: the vocabulary, such as `jasstisch.engine.cards.JASS.texts`; other texts are ignored.
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
