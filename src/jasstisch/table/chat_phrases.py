"""The predefined chat phrases of a table.

A phrase is sent and stored by name; each reader sees it in their own language. No phrase is about
cards, trump, points or play, so that the choice of a phrase tells a partner nothing about a hand.
Its timing could still be a signal, like a cough; players who do not want that can hide the chat.
"""

from typing import Literal

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
"""Greetings, wishes, and reactions to a good or a bad event that everybody has seen."""
