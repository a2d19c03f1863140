"""Generates the JSON Schema of records from the options, packs and standings of the games.

It covers keys and types, the options of each bundled game with their values, one name for each
seat, cards of the right deck, and the keys of a standing. A game of another package may have its
own options and cards, so only the common form is required of it.
"""

import json
from collections.abc import Mapping
from typing import Any, get_args, get_type_hints

import msgspec

from jasstisch.engine.cards import SUITS, Deck
from jasstisch.fairness.encoding import FORMAT as FAIR_FORMAT
from jasstisch.fairness.json_validation import MAX_SEATS
from jasstisch.games.options import Choice, Option, Whole
from jasstisch.games.rules import REGISTRY, Rules
from jasstisch.match.record import RECORD_FORMAT, SCHEMA_FILE

SCHEMA_PATH = f"src/jasstisch/match/{SCHEMA_FILE}"

Schema = dict[str, Any]

REF = "#/$defs/{name}"
SEAT = {"type": "integer", "minimum": 0}
HEX = {"type": "string", "pattern": "^[0-9a-f]{64}$"}

NAMES = {
    "description": "One name for each seat, in order of seats.",
    "type": "array",
    "items": {"type": "string"},
    "minItems": 1,
}
ENTRY = {
    "description": "A pack in its shuffled order, or what a seat did.",
    "type": "array",
    "prefixItems": [{"anyOf": [{"const": "pack"}, SEAT]}, {"type": "string", "minLength": 1}],
    "minItems": 2,
    "items": False,
}
STANDING = {
    "description": "One object for each seat.",
    "type": "array",
    "items": {"type": "object"},
}
WINNERS = {"type": "array", "items": SEAT, "uniqueItems": True}


def page() -> Mapping[str, str]:
    """Returns the file of the schema by its path."""
    return {SCHEMA_PATH: json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"}


def schema() -> Schema:
    """Returns the JSON Schema of a record."""
    ours = {name: rules for name, rules in sorted(REGISTRY.items()) if is_ours(rules)}
    numbers = sorted({number for rules in ours.values() for number in seats(rules)})
    decks = {rules.deck.ranks: rules.deck for rules in ours.values()}
    standings, described = msgspec.json.schema_components(
        [standing_schema(rules) for rules in ours.values()], ref_template=REF
    )
    of_game = {
        name: rules_condition(rules, form)
        for (name, rules), form in zip(ours.items(), standings, strict=True)
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": RECORD_FORMAT,
        "description": "A match of Jasstisch; docs/records.md says what each key means.",
        "type": "object",
        "properties": common(),
        "required": ["format", "game", "players", "log"],
        "additionalProperties": False,
        "allOf": [
            *({"if": is_game(name), "then": ref(name)} for name in ours),
            *({"if": has_players(number), "then": ref(f"{number}-players")} for number in numbers),
        ],
        "$defs": {
            **of_game,
            **{f"{number}-players": players_condition(number) for number in numbers},
            **{pack_name(deck): packs_schema(deck) for deck in decks.values()},
            **{name: form | {"additionalProperties": False} for name, form in described.items()},
            "evidence": evidence(),
        },
    }


def ref(name: str) -> Schema:
    """Returns a reference to another part of the schema."""
    return {"$ref": REF.format(name=name)}


def is_ours(rules: type[Rules]) -> bool:
    """Returns the condition that a game is bundled with Jasstisch."""
    return rules.__module__.startswith("jasstisch.games.")


# Common to all games.


def common() -> Schema:
    """Returns the schema of the keys of a record."""
    value = {"type": ["integer", "string", "null"]}
    return {
        "format": {"const": RECORD_FORMAT},
        "game": {"description": "The name of the game.", "type": "string"},
        "options": {
            "description": "The house rules; what is left out has its default.",
            "type": "object",
            "additionalProperties": value,
        },
        "players": NAMES,
        "log": {"type": "array", "items": ENTRY},
        "result": {
            "description": "Null, or left out, until the match is over.",
            "type": ["object", "null"],
            "properties": {"standing": STANDING, "winners": WINNERS},
            "required": ["standing", "winners"],
            "additionalProperties": False,
        },
        "fair": {"anyOf": [{"type": "null"}, ref("evidence")]},
        "about": {
            "description": "Free: date, event, place, comments, … Kept, never judged.",
            "type": ["object", "null"],
        },
    }


def evidence() -> Schema:
    """Returns the schema of the part `fair`; see docs/fair-deals.md."""
    person = closed_object(
        seat=SEAT | {"maximum": MAX_SEATS - 1},
        commitment=HEX,
        opening={"anyOf": [{"type": "null"}, HEX]},
    )
    attempt = closed_object(secret=HEX, people={"type": "array", "items": person})
    found = closed_object(
        format={"const": FAIR_FORMAT},
        table=HEX,
        match={"type": "integer", "minimum": 1},
        ends={"type": "array", "items": HEX},
        packs={"type": "array", "items": {"type": "array", "items": attempt}},
    )
    return {"description": "The evidence of the deals: docs/fair-deals.md."} | found


def closed_object(**properties: Schema) -> Schema:
    """Returns the schema of an object with exactly these keys."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


# By number of players.


def has_players(number: int) -> Schema:
    """Returns the condition that the options set this number of players."""
    chosen = {"properties": {"players": {"const": number}}, "required": ["players"]}
    return {"properties": {"options": chosen}, "required": ["options"]}


def players_condition(number: int) -> Schema:
    """Returns the schema for a number of players: names, seats, entries per seat."""
    last = {"maximum": number - 1}
    each = {"minItems": number, "maxItems": number}
    return {
        "properties": {
            "options": {"properties": {"dealer": last}},
            "players": each,
            "log": {"items": {"prefixItems": [last]}},
            "result": {"properties": {"standing": each, "winners": {"items": last}}},
        }
    }


# By game.


def is_game(name: str) -> Schema:
    """Returns the condition that a record is one of this game."""
    return {"properties": {"game": {"const": name}}, "required": ["game"]}


def rules_condition(rules: type[Rules], of_standing: Schema) -> Schema:
    """Returns the schema for a game: options, packs, and a seat's final standing."""
    players = next(one for one in rules.options if one.name == "players")
    assert isinstance(players, Whole)
    many = max(seats(rules))
    options = {one.name: option_schema(one, many) for one in rules.options}
    said = {"properties": {"options": {"required": ["players"]}}, "required": ["options"]}
    return {
        "properties": {
            "options": {"properties": options, "additionalProperties": False},
            "players": {"minItems": min(seats(rules)), "maxItems": many},
            "log": ref(pack_name(rules.deck)),
            "result": {"properties": {"standing": {"items": of_standing}}},
        },
        "if": {"not": said},
        "then": ref(f"{players.default}-players"),
    }


def seats(rules: type[Rules]) -> range:
    """Returns the possible numbers of players of a game."""
    players = next(one for one in rules.options if one.name == "players")
    assert isinstance(players, Whole)
    return range(players.low, players.high + 1)


def option_schema(one: Option, many: int) -> Schema:
    """Returns the schema of an option, at most for this number of players."""
    if isinstance(one, Choice):
        return {"enum": list(one.values), "default": one.default}
    if isinstance(one, Whole):
        bounds: Schema = {"type": "integer", "minimum": one.low, "maximum": one.high}
        return bounds if one.defaults_by_players else bounds | {"default": one.default}
    return {"type": ["integer", "null"], "minimum": 0, "maximum": many - 1, "default": None}


def standing_schema(rules: type[Rules]) -> object:
    """Returns the schema of the standing of a seat."""
    assert rules.view_type is not None
    (found,) = get_args(get_type_hints(rules.view_type)["standing"])
    return found


def pack_name(deck: Deck) -> str:
    """Returns the name of the schema of a log with packs of a deck."""
    return f"log-with-{len(deck.texts)}-cards"


def packs_schema(deck: Deck) -> Schema:
    """Returns the schema of a log whose packs have the cards of a deck, in either case."""
    letters = [f"[{some}{some.lower()}]" for some in (deck.ranks, SUITS)]
    card = "".join(letters)
    pack = {"pattern": rf"^\s*{card}(\s+{card})*\s*$"}
    given = {"if": {"prefixItems": [{"const": "pack"}]}, "then": {"prefixItems": [True, pack]}}
    return {"items": given}
