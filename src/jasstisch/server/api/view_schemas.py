"""The views of our own games as one union, assembled from the declarations of the games.

The discriminator of a view is `game`. A view of a game from another package is an `OtherView`: it
has the common keys and any others; the server passes it on unchanged.
"""

from collections.abc import Iterable, Mapping
from typing import Any, get_args, get_type_hints, is_typeddict

import msgspec

from jasstisch.games import games
from jasstisch.games.rules import REGISTRY
from jasstisch.games.views import CommonRound, CommonView

_REF = "#/$defs/{name}"
OTHER_VIEW = "OtherView"
_BUILT_IN_PREFIX = "jasstisch.games."
"""The package of our own games; the protocol does not depend on other installed games."""

_Schema = dict[str, Any]


def declared_views() -> dict[type, list[str]]:
    """The view types that our games declare, each with the games that use it."""
    found: dict[type, list[str]] = {}
    for name in games():
        rules = REGISTRY[name]
        if rules.view_type is not None and rules.__module__.startswith(_BUILT_IN_PREFIX):
            found.setdefault(rules.view_type, []).append(name)
    return found


def view_definitions() -> dict[str, _Schema]:
    """The JSON Schemas of all views and their parts, and their union `View`."""
    declared = declared_views()
    _, found = msgspec.json.schema_components(
        [*declared, CommonView, CommonRound], ref_template=_REF
    )
    definitions = {name: one | {"additionalProperties": False} for name, one in found.items()}
    for declared_type in _declared_types([*declared, CommonView, CommonRound]):
        definition = definitions[declared_type.__name__]
        definition["properties"] = _in_order(declared_type, definition["properties"])
    for view, names in declared.items():
        definition = definitions[view.__name__]
        definition["properties"]["game"] = {"enum": names}
    known = [name for names in declared.values() for name in names]
    definitions["OtherRound"] = _open_schema(
        definitions["CommonRound"], "OtherRound", "A finished round"
    )
    definitions[OTHER_VIEW] = _other_view(definitions["CommonView"], known)
    members = [*(view.__name__ for view in declared), OTHER_VIEW]
    definitions["View"] = {
        "title": "View",
        "description": "All that one reader may know of a match, and nothing else; `game` says "
        "of which game it is.",
        "oneOf": [{"$ref": _REF.format(name=name)} for name in members],
    }
    return definitions


def game_specific_keys(definitions: Mapping[str, _Schema], name: str) -> list[str]:
    """The keys of a view in addition to the common ones."""
    return [key for key in definitions[name]["properties"] if key not in _common_keys(definitions)]


def _common_keys(definitions: Mapping[str, _Schema]) -> Mapping[str, _Schema]:
    common: Mapping[str, _Schema] = definitions["CommonView"]["properties"]
    return common


def _declared_types(types: Iterable[object]) -> set[type]:
    """These types and all `TypedDict`s that they contain."""
    found: set[type] = set()
    for one in types:
        if is_typeddict(one) and isinstance(one, type):
            found |= {one} | _declared_types(get_type_hints(one).values())
        else:
            found |= _declared_types(get_args(one))
    return found


def _in_order(declared: type, properties: Mapping[str, _Schema]) -> _Schema:
    """Properties in the order of their declaration, the common ones first."""
    return {key: properties[key] for key in get_type_hints(declared)}


def _open_schema(definition: _Schema, title: str, what: str) -> _Schema:
    """The same schema for a game from another package, with any additional keys."""
    text = f"{what} of a game from another package, which may have more keys."
    return definition | {"title": title, "description": text, "additionalProperties": True}


def _other_view(common: _Schema, known: list[str]) -> _Schema:
    """The view of a game from another package."""
    more = {
        "game": {"type": "string", "not": {"enum": known}},
        "rounds": {"type": "array", "items": {"$ref": _REF.format(name="OtherRound")}},
        "standing": {"type": "array", "items": {"type": "object", "additionalProperties": True}},
    }
    return _open_schema(common, OTHER_VIEW, "A view") | {
        "properties": _in_order(CommonView, common["properties"]) | more,
        "required": [*common["required"], "rounds", "standing"],
    }
