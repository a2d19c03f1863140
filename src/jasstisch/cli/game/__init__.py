"""A match in the terminal, on this machine or at a table of a server.

It asks the person for actions and drives the match; how things look is in `jasstisch.cli.ui`, and
rules are in `jasstisch.games`. Begin with `local_match`.
"""
