"""The commands of `jasstisch`, one module for each, with `run(words)`.

A command parses its arguments and prints its result; what it does is decided elsewhere. Begin
with `play` or `serve`.
"""
