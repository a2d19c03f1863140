"""The arguments about the actions of each game.

A module for each game yields the arguments that hold for an action; `jasstisch.analysis` decides
which of them is the reason. Modules of this package are registered on import. Begin with
`registry`.
"""

from importlib import import_module
from pkgutil import iter_modules

from jasstisch.analysis.explainers.registry import explainer_of, trait_finder_of

__all__ = ["explainer_of", "trait_finder_of"]

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
