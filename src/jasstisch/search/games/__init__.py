"""Kernels for games that need more than a round of tricks.

This package decides how announcements are evaluated and inferred (`announcements`), and represents
Jass as individuals (`jass`) and I Doubt It (`i_doubt_it`) as arrays. It does not contain what all
games of tricks share: that is one level up, in `jasstisch.search.rounds`. Begin with
`announcements`.
"""
