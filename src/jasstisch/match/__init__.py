"""A match from its first deal to its result, and its file formats.

The package keeps the log of a match, says which seats may act and what each seat may know; the
rules of a game are in `jasstisch.games`. Begin with `match`, which holds the class `Match`.
`record` is the file format, `notation` writes a deal or a round as one line of text, and
`decisions` turns a match into rows.
"""

from jasstisch.match.match import Match

__all__ = ["Match"]
