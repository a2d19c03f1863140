"""A match from its first deal to its result, and the forms in which it is kept.

The package decides what has happened, who may act and what each seat may know; what is legal and
what it counts is decided in `jasstisch.games`. Begin with `match`, which holds the class `Match`;
`record` is the file format, `notation` a deal or a round as one line of text, and `decisions` a
match as rows.
"""

from jasstisch.match.match import Match

__all__ = ["Match"]
