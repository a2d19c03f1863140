"""Decodes the rooms that other nodes send; a newer node may send fields unknown here."""

from typing import Any, get_args

import msgspec

from jasstisch.table import Room

__all__ = ["decode_room"]


def decode_room(room: Any) -> Room:  # noqa: ANN401 - as JSON has it
    """Decodes a room, as this node or a newer one encodes it."""
    if isinstance(room, Room):
        return room
    return msgspec.convert(_without_unknown_fields(room, Room), Room)


def _without_unknown_fields(value: Any, kind: Any) -> Any:  # noqa: ANN401 - as JSON has it, and any type
    """A decoded value without the keys that the structs of its type do not have."""
    struct = _struct_type(kind)
    if struct is not None and isinstance(value, list):
        return [_without_unknown_fields(one, struct) for one in value]
    if struct is not None and isinstance(value, dict):
        fields = msgspec.structs.fields(struct)
        return {
            one.name: _without_unknown_fields(value[one.name], one.type)
            for one in fields
            if one.name in value
        }
    return value


def _struct_type(kind: Any) -> type[msgspec.Struct] | None:  # noqa: ANN401 - any type
    """The struct type in a type annotation; None if there is none."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return kind
    return next((one for one in map(_struct_type, get_args(kind)) if one is not None), None)
