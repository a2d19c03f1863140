"""Validation of array arguments of a batch."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jasstisch.engine.errors import GameError


def checked_int_array(
    name: str,
    given: ArrayLike,
    whole: tuple[int, ...],
    low: int | None = None,
    high: int | None = None,
) -> NDArray[np.int64]:
    """Converts an argument to an array of words and checks its shape and bounds.

    Args:
        name: the name of the argument, for messages.
        given: the argument.
        whole: the required shape, the number of rounds first.
        low: the minimum value.
        high: the maximum value.

    Raises:
        GameError: the argument is not such an array.
    """
    array = np.asarray(given)
    if array.shape != whole or not np.issubdtype(array.dtype, np.integer):
        raise GameError(
            f"{name} are whole numbers of shape {whole}, not {array.dtype} of {array.shape}"
        )
    if low is not None and high is not None:
        wrong = np.argwhere((array < low) | (array > high))
        if len(wrong):
            place = "".join(f"[{index}]" for index in wrong[0])
            value = array[tuple(wrong[0])]
            raise GameError(f"{name}{place} is a number from {low} to {high}, not {value}")
    return np.ascontiguousarray(array, dtype=np.int64)
