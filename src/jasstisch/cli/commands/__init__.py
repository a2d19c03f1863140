"""The commands of `jasstisch`, one module for each, with `run(words)`.

A command parses its arguments and prints its result; the work is done in other packages. Begin with
`play` or `serve`.
"""
