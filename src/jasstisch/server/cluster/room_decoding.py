"""Rooms as other nodes tell them: a node of a newer version may know more of one."""

from typing import Any, get_args

import msgspec

from jasstisch.table import Room

__all__ = ["decode_room"]


def decode_room(room: Any) -> Room:  # noqa: ANN401 - as JSON has it
    """A room as it is here, or as another node tells it, which may know more of it."""
    if isinstance(room, Room):
        return room
    return msgspec.convert(_without_unknown_fields(room, Room), Room)


def _without_unknown_fields(told: Any, kind: Any) -> Any:  # noqa: ANN401 - as JSON has it, and any type
    """What is told for a value of such a type, without the keys that its structs do not have."""
    struct = _struct_type(kind)
    if struct is not None and isinstance(told, list):
        return [_without_unknown_fields(one, struct) for one in told]
    if struct is not None and isinstance(told, dict):
        fields = msgspec.structs.fields(struct)
        return {
            one.name: _without_unknown_fields(told[one.name], one.type)
            for one in fields
            if one.name in told
        }
    return told


def _struct_type(kind: Any) -> type[msgspec.Struct] | None:  # noqa: ANN401 - any type
    """The struct of which values of such a type are made; None where they are of none."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return kind
    return next((one for one in map(_struct_type, get_args(kind)) if one is not None), None)
