"""Checks of views: plain JSON, independent copies, the common keys, and only cards one may know.

`information_leaks` checks whether anything else in a view reveals hidden information.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from jasstisch.engine.errors import quote
from jasstisch.games.rules import Json
from jasstisch.testing.conformance_run import ConformanceRun, match_state
from jasstisch.testing.json_diff import first_difference, identical, json_text, same_json, words_in

PUBLIC_KEYS = (
    *("phase", "round", "dealer", "draw", "to_act", "needs_pack", "hand_sizes"),
    *("trick", "last_trick", "tricks", "trump", "rounds", "standing", "over", "winners"),
)
"""The keys of a view whose content is public in every game."""

_PER_READER_KEYS = ("game", "options", "players", "seat", "hand", "points")
_COMMON_KEYS = (*PUBLIC_KEYS, *_PER_READER_KEYS)
_NOTHING: tuple[Any, ...] = (None, [], {})

REDACT_ADVICE = (
    "In table_view(seat) put None for what that reader may not know. If it lies open to all, name "
    "its key in the class: revealing_keys = (...)"
)


class KnownCards:
    """The cards that each reader can know in this deal: held, played, named or turned up.

    Attributes:
        cards: those cards, by reader.
        before: the spectator's view at the previous step, and the differences of each seat's view.
    """

    def __init__(self, run: ConformanceRun) -> None:
        self.deck = frozenset(run.game.rules.deck.texts)
        self.reveals = run.game.rules.revealing_keys
        self.cards: dict[int | None, set[str]] = {reader: set() for reader in run.readers}
        self.before: tuple[Json, list[Json]] | None = None

    def cards_named_in(self, value: object) -> set[str]:
        """The cards that are named anywhere in a value."""
        return words_in(value) & self.deck

    def update(self, run: ConformanceRun, views: Mapping[int | None, Json]) -> None:
        """Adds the cards that the last step revealed to each reader; a new deal resets them."""
        match = run.match
        actor = run.log[-1][0] if run.log else "pack"
        spectator = views[None]
        if actor == "pack" and spectator["phase"] in {"draw", "deal"}:
            self.cards = {reader: set() for reader in run.readers}
        shown = self.cards_named_in([spectator.get(key) for key in (*PUBLIC_KEYS, *self.reveals)])
        for reader, cards in self.cards.items():
            cards.update(shown)
            if reader is not None:
                cards.update(match.hand(reader))
            if actor != "pack":
                cards.update(self.cards_named_in(match.describe_last_action(reader)))


def check_views(run: ConformanceRun, known: KnownCards) -> None:
    """Checks the form of every reader's view, and that it names only cards the reader may know."""
    views: dict[int | None, Json] = {}
    for reader in run.readers:
        with run.blame_game(f"view({reader})"):
            views[reader] = run.view(reader)
        _check_shape(run, reader, views[reader])
    known.update(run, views)
    own = [key for key in views[None] if key not in PUBLIC_KEYS and key not in _PER_READER_KEYS]
    for reader, view in views.items():
        if view.keys() != views[None].keys():
            raise run.violation_error(
                f"view({reader}) and view(None) have not the same keys",
                "Give every reader all keys, None for what they may not know",
            )
        if surplus := known.cards_named_in([view[key] for key in own]) - known.cards[reader]:
            where = next(key for key in own if known.cards_named_in(view[key]) & surplus)
            raise run.violation_error(
                f"view({reader})[{where!r}] names {' '.join(sorted(surplus))}, which "
                f"{reader_name(reader)} has neither held nor seen in this deal",
                REDACT_ADVICE,
            )
    for key in views[None]:
        if key not in {"seat", "hand"}:
            told, seats = views[None][key], [views[seat][key] for seat in run.seats]
            if not identical(told, *seats):
                _check_spectator(run, f"view(None)[{key!r}]", told, seats)
    with run.blame_game("table_view(None)"):
        common = run.match.spectator_view()
    own_of = _check_private_view(run, views, common)
    if known.before is not None:
        _check_delta(run, known.before, (common, own_of))
    known.before = common, own_of


def _check_private_view(
    run: ConformanceRun, views: Mapping[int | None, Json], common: Json
) -> list[Json]:
    """Checks that `private_view` holds every difference of a seat's view from a spectator's.

    Returns:
        The differences, for each seat.
    """
    own_of = []
    for seat in run.seats:
        with run.blame_game(f"private_view({seat})"):
            private = run.match.private_view(seat)
        own_of.append(private)
        if private.keys() <= common.keys() and common | private == views[seat]:
            continue
        seen = common | private
        wrong = next(key for key in seen if key not in common or seen[key] != views[seat].get(key))
        raise run.violation_error(
            f"private_view({seat}) does not tell that table_view({seat})[{wrong!r}] is "
            f"{quote(views[seat].get(wrong))}",
            "It holds every key of table_view(seat) that is not as in table_view(None); without "
            "the method all are compared for each seat",
        )
    return own_of


def _check_delta(
    run: ConformanceRun, before: tuple[Json, list[Json]], now: tuple[Json, list[Json]]
) -> None:
    """Checks that `action_delta` names every change of an action in the views."""
    with run.blame_game("action_delta(action)"):
        trace = run.match.last_delta()
    if trace is None:
        return
    told, common = before[0] | trace.updated, now[0]
    told |= {key: [*told.get(key, []), *items] for key, items in trace.appended.items()}
    for key, value in common.items():
        if told.get(key, _NOTHING) != value:
            raise run.violation_error(
                f"action_delta(action) does not tell that table_view(None)[{key!r}] is "
                f"{quote(value)}",
                "Its updated holds the new value of every key that may have changed; without the "
                "method all are compared",
            )
    actor = run.log[-1][0]
    for seat, own, after in zip(run.seats, *(one[1] for one in (before, now)), strict=True):
        hidden = {"hand"} if seat == actor else set()
        changed = [key for key in after if key not in hidden and own.get(key) != after[key]]
        if trace.only_hand_changed and changed:
            raise run.violation_error(
                f"action_delta(action) says hand_only, but private_view({seat})[{changed[0]!r}] "
                "has changed",
                "hand_only is for actions that change nothing but the hand of the acting seat",
            )


def reader_name(reader: int | None) -> str:
    """The name of a reader in error messages."""
    return "a spectator" if reader is None else f"seat {reader}"


def _check_shape(run: ConformanceRun, reader: int | None, view: Json) -> None:
    """Checks that a view is plain JSON with the common keys and agrees with the match."""
    name = f"view({reader})"
    missing = [key for key in _COMMON_KEYS if key not in view]
    if missing:
        raise run.violation_error(
            f"{name} lacks {', '.join(missing)}",
            "table_view(seat) returns hand_sizes, trick, last_trick, tricks, trump and points "
            "besides what is the game's own; [] or None where the game has none",
        )
    # Finished rounds never change (see `turn_checks`): each is checked while it is the last.
    shown = view | {"rounds": view["rounds"][-1:]}
    with run.blame_game(
        f"writing {name} as JSON", "Views hold plain JSON: dict, list, str, int, ..."
    ):
        again = json.loads(json.dumps(shown, allow_nan=False))
    if spot := first_difference(shown, again, name):
        raise run.violation_error(
            f"{name} is not plain JSON: {spot}", "Use lists, not tuples or sets, and texts as keys"
        )
    match = run.match
    told: dict[str, Any] = {
        "hand": None if reader is None else match.hand(reader),
        "trick": [list(entry) for entry in match.trick],
        "trump": match.trump,
        "hand_sizes": [len(match.hand(seat)) for seat in run.seats],
    }
    for key, value in told.items():
        if view[key] != value:
            raise run.violation_error(
                f"{name}[{key!r}] is {quote(view[key])} where the match says {quote(value)}",
                "The view and the match tell the same",
            )
    points = view["points"]
    if not isinstance(points, list) or len(points) != run.game.players:
        raise run.violation_error(
            f"{name}['points'] is {quote(points)}",
            "Give one number for each seat, None where the reader may not see it",
        )


def _check_spectator(run: ConformanceRun, path: str, own: object, seats: list[Any]) -> None:
    """Checks that a spectator sees exactly what all seats see."""
    if own in _NOTHING:
        shared = seats[0]
        if shared not in _NOTHING and all(same_json(one, shared) for one in seats):
            raise run.violation_error(
                f"{path} is {quote(own)} although every seat sees {quote(shared)}",
                "A spectator sees what all seats see",
            )
        return
    if isinstance(own, dict) and all(isinstance(one, dict) for one in seats):
        for key, inner in own.items():
            _check_spectator(run, f"{path}[{key!r}]", inner, [one.get(key) for one in seats])
        return
    if isinstance(own, list) and all(isinstance(one, list) for one in seats):
        if all(len(one) == len(own) for one in seats):
            for number, inner in enumerate(own):
                _check_spectator(run, f"{path}[{number}]", inner, [one[number] for one in seats])
            return
        seats = [one for one in seats if not _contains(one, own)]
    elif all(type(one) is type(own) and one == own for one in seats):
        return
    if seats:
        raise run.violation_error(
            f"{path} is {quote(own)}, which not every seat sees",
            "table_view(None) is for a spectator, who sees what all seats see and no more: seat is "
            "None there, not 0",
        )


def _contains(whole: Iterable[object], part: Iterable[object]) -> bool:
    """Whether all members of `part` are members of `whole`."""
    texts = [json_text(one) for one in whole]
    return all(json_text(one) in texts for one in part)


def check_returns_copies(run: ConformanceRun) -> None:
    """Checks that modifying returned values does not change the match."""
    match = run.match
    handed: list[tuple[str, object]] = [
        *((f"view({reader})", match.view(reader)) for reader in run.readers),
        ("record()", match.record()),
        ("rounds", match.rounds),
        ("standing", match.standing),
        ("winners", match.winners),
        *((f"legal({seat})", match.legal(seat)) for seat in match.to_act[:1]),
        *((f"private_view({seat})", match.private_view(seat)) for seat in run.seats),
    ]
    for name, thing in handed:
        _clear_nested(thing)
        if not same_json(run.current_state, match_state(match)):
            raise run.violation_error(
                f"writing into {name} changes the match", "Hand out copies: list(self.something)"
            )


def _clear_nested(thing: object) -> None:
    """Empties every nested list and object of a value."""
    if isinstance(thing, dict):
        for inner in thing.values():
            _clear_nested(inner)
        thing.clear()
    elif isinstance(thing, list):
        for inner in thing:
            _clear_nested(inner)
        thing.clear()
