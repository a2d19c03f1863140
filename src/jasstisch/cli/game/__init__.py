"""Matches in the terminal, on this machine or at a table of a server.

These modules ask the person for actions and drive the match. The appearance is in
`jasstisch.cli.ui`, the rules are in `jasstisch.games`. Begin with `local_match`.
"""
