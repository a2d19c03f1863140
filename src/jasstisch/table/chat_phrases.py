"""What people may say at a table without writing it.

A phrase travels and is kept as its name; each reader is shown it in his own language. None of them
is about cards, trump, points or what somebody ought to play, so that nobody can tell his partner
anything of his hand by which one he says. When one is said could be a sign all the same, as a cough
can: who does not want that hides what is said.
"""

from typing import Literal

__all__ = ["Phrase"]

Phrase = Literal[
    "hello",
    "good_luck",
    "cheers",
    "no_hurry",
    "one_moment",
    "thanks",
    "well_played",
    "bravo",
    "such_is_jass",
    "oops",
    "sorry",
    "again",
    "revenge",
    "goodbye",
]
"""Greetings, wishes, and what is said to a good or a bad moment that everybody has seen."""
