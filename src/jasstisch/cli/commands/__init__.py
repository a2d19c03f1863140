"""The commands of `jasstisch`, one module for each, with `run(words)`.

A command parses its arguments and prints its result; the work is done in other packages. Begin with
`play` or `serve`.
"""

from importlib import import_module
from keyword import iskeyword
from types import ModuleType


def load(name: str) -> ModuleType:
    """Returns the module of a command; a keyword of Python has an underscore after it there."""
    return import_module(f"{__name__}.{name}{'_' * iskeyword(name)}")
