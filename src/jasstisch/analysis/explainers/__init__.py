"""Explainers: the arguments for and against the actions of each game, one module for each game.

An explainer decides which arguments apply to an action. It does not decide which action is best or
what it costs: `jasstisch.analysis` does. This file imports every module of the package, and each
module registers its games. Begin with `registry`.
"""

from importlib import import_module
from pkgutil import iter_modules

from jasstisch.analysis.explainers.registry import explainer_of, trait_finder_of

__all__ = ["explainer_of", "trait_finder_of"]

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
