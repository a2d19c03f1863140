"""The arguments of each game: one module per game, registered on import."""

from importlib import import_module
from pkgutil import iter_modules

from jasstisch.analysis.explainers.registry import explainer_of, trait_finder_of

__all__ = ["explainer_of", "trait_finder_of"]

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
