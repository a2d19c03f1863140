"""What the terminal shows: cards, hands, score tables, narration, console and pager.

It turns views into text in four languages and decides nothing about a match. Begin with
`terminal`, then `narrator`.
"""
