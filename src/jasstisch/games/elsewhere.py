"""Games that other packages bring, by the entry-point group `jasstisch.games`.

An entry point names the module with the game's class; to import it makes the game one of ours. A
module that cannot be imported, has no game or would take the name of another hides no other game.
"""

from importlib.metadata import EntryPoint, entry_points

from jasstisch.games.rules import REGISTRY

__all__ = ["ENTRY_POINTS", "load"]

ENTRY_POINTS = "jasstisch.games"
"""The entry-point group in which other packages offer games."""


def load() -> dict[str, str]:
    """Imports the modules that other packages offer.

    Returns:
        For each offer that brought no game its name, and a sentence that says why.
    """
    faults: dict[str, str] = {}
    for offer in sorted(entry_points(group=ENTRY_POINTS), key=lambda one: (one.name, one.value)):
        before = dict(REGISTRY)
        fault = _loaded(offer, before)
        if fault is not None:
            # Whatever the module has changed until then is undone.
            REGISTRY.clear()
            REGISTRY.update(before)
            source = f"{offer.value} of {offer.dist.name}" if offer.dist else offer.value
            faults[offer.name] = f"game {offer.name!r} of {source} {fault}"
    return faults


def _loaded(offer: EntryPoint, before: dict[str, type]) -> str | None:
    """What is wrong with an offer, None where it has brought a game."""
    try:
        offer.load()
    except Exception as error:  # noqa: BLE001 - a broken package may raise anything
        return f"cannot be loaded: {error!r}"
    taken = [name for name in before if REGISTRY.get(name) is not before[name]]
    if taken:
        return f"calls itself {taken[0]!r}, as another game does"
    return "is no game: its module has no class with a name" if before == REGISTRY else None
