"""The number of random examples: all in `make test`, fewer in `make check`.

Before a commit every test runs, but those that play many matches at random play a few. Both numbers
stand where they are used, and no test asks for less than what it is about.
"""

import os

QUICK = os.environ.get("TEST_EFFORT") == "quick"
"""Whether this is `make check`."""


def examples(all_of_them: int, a_few: int) -> int:
    """The number of examples, smaller for quick checks."""
    return min(all_of_them, a_few) if QUICK else all_of_them
