"""What the terminal shows: cards, hands, score tables, narration, console and pager.

These modules turn views into text in four languages; they make no decisions about a match. Begin
with `terminal`, then `narrator`.
"""
