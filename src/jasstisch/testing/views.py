"""What a view looks like: plain JSON, a copy, the same keys for all, and no card one cannot know.

`secrecy` asks the harder question, whether anything else gives away what is hidden.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from jasstisch.errors import quote
from jasstisch.games.rules import Json
from jasstisch.testing.examination import Examination, state
from jasstisch.testing.json_diff import encoded, first_difference, identical, same, words

__all__ = ["PUBLIC", "Known", "check_copies", "check_views"]

PUBLIC = (
    *("phase", "round", "dealer", "draw", "to_act", "needs_pack", "hand_sizes"),
    *("trick", "last_trick", "tricks", "trump", "rounds", "standing", "over", "winners"),
)
"""Keys of every view whose content is public in every game."""

OTHERS = ("game", "options", "players", "seat", "hand", "points")
KEYS = (*PUBLIC, *OTHERS)
NOTHING: tuple[Any, ...] = (None, [], {})

TELL_LESS = (
    "In table(seat) put None for what that reader may not know. If it lies open to all, name its "
    "key in the class: reveals = (...)"
)


class Known:
    """The cards that each reader can know in this deal: held, played, told or turned up.

    Attributes:
        cards: those cards, by reader.
        before: what a spectator saw at the last step, and what each seat saw otherwise.
    """

    def __init__(self, exam: Examination) -> None:
        self.deck = frozenset(exam.game.rules.deck.texts)
        self.reveals = exam.game.rules.reveals
        self.cards: dict[int | None, set[str]] = {reader: set() for reader in exam.readers}
        self.before: tuple[Json, list[Json]] | None = None

    def named(self, value: object) -> set[str]:
        """The cards that are named anywhere in a value."""
        return words(value) & self.deck

    def update(self, exam: Examination, views: Mapping[int | None, Json]) -> None:
        """Adds what the last step has let each reader know; a new deal begins afresh."""
        match = exam.match
        actor = exam.log[-1][0] if exam.log else "pack"
        spectator = views[None]
        if actor == "pack" and spectator["phase"] in {"draw", "deal"}:
            self.cards = {reader: set() for reader in exam.readers}
        shown = self.named([spectator.get(key) for key in (*PUBLIC, *self.reveals)])
        for reader, cards in self.cards.items():
            cards.update(shown)
            if reader is not None:
                cards.update(match.hand(reader))
            if actor != "pack":
                cards.update(self.named(match.told(reader)))


def check_views(exam: Examination, known: Known) -> None:
    """Every reader's view has its form and names no card that the reader cannot know."""
    views: dict[int | None, Json] = {}
    for reader in exam.readers:
        with exam.doing(f"view({reader})"):
            views[reader] = exam.view(reader)
        check_form(exam, reader, views[reader])
    known.update(exam, views)
    own = [key for key in views[None] if key not in PUBLIC and key not in OTHERS]
    for reader, view in views.items():
        if view.keys() != views[None].keys():
            raise exam.fault(
                f"view({reader}) and view(None) have not the same keys",
                "Give every reader all keys, None for what he may not know",
            )
        if surplus := known.named([view[key] for key in own]) - known.cards[reader]:
            where = next(key for key in own if known.named(view[key]) & surplus)
            raise exam.fault(
                f"view({reader})[{where!r}] names {' '.join(sorted(surplus))}, which "
                f"{called(reader)} has neither held nor seen in this deal",
                TELL_LESS,
            )
    for key in views[None]:
        if key not in {"seat", "hand"}:
            told, seats = views[None][key], [views[seat][key] for seat in exam.seats]
            if not identical(told, *seats):
                check_spectator(exam, f"view(None)[{key!r}]", told, seats)
    with exam.doing("table(None)"):
        common = exam.match.glance()
    own_of = check_private(exam, views, common)
    if known.before is not None:
        check_trace(exam, known.before, (common, own_of))
    known.before = common, own_of


def check_private(exam: Examination, views: Mapping[int | None, Json], common: Json) -> list[Json]:
    """Where a seat does not see what a spectator sees, `private` says so, and what it sees.

    Returns:
        What each seat sees otherwise.
    """
    own_of = []
    for seat in exam.seats:
        with exam.doing(f"private({seat})"):
            private = exam.match.private(seat)
        own_of.append(private)
        if private.keys() <= common.keys() and common | private == views[seat]:
            continue
        seen = common | private
        wrong = next(key for key in seen if key not in common or seen[key] != views[seat].get(key))
        raise exam.fault(
            f"private({seat}) does not tell that table({seat})[{wrong!r}] is "
            f"{quote(views[seat].get(wrong))}",
            "It holds every key of table(seat) that is not as in table(None); without the method "
            "all are compared for each seat",
        )
    return own_of


def check_trace(
    exam: Examination, before: tuple[Json, list[Json]], now: tuple[Json, list[Json]]
) -> None:
    """Where a game says by `trace` what an action has changed, it has changed nothing else."""
    with exam.doing("trace(action)"):
        trace = exam.match.trace()
    if trace is None:
        return
    told, common = before[0] | trace.shown, now[0]
    told |= {key: [*told.get(key, []), *items] for key, items in trace.added.items()}
    for key, value in common.items():
        if told.get(key, NOTHING) != value:
            raise exam.fault(
                f"trace(action) does not tell that table(None)[{key!r}] is {quote(value)}",
                "Its shown holds the new value of every key that may have changed; without the "
                "method all are compared",
            )
    actor = exam.log[-1][0]
    for seat, own, after in zip(exam.seats, *(one[1] for one in (before, now)), strict=True):
        hidden = {"hand"} if seat == actor else set()
        changed = [key for key in after if key not in hidden and own.get(key) != after[key]]
        if trace.hand_only and changed:
            raise exam.fault(
                f"trace(action) says hand_only, but private({seat})[{changed[0]!r}] has changed",
                "hand_only is for actions that change nothing but the hand of whoever acted",
            )


def called(reader: int | None) -> str:
    """What a reader is called in a message."""
    return "a spectator" if reader is None else f"seat {reader}"


def check_form(exam: Examination, reader: int | None, view: Json) -> None:
    """A view is plain JSON with the keys of every game, and agrees with the match."""
    name = f"view({reader})"
    missing = [key for key in KEYS if key not in view]
    if missing:
        raise exam.fault(
            f"{name} lacks {', '.join(missing)}",
            "table(seat) returns hand_sizes, trick, last_trick, tricks, trump and points besides "
            "what is the game's own; [] or None where the game has none",
        )
    # Finished rounds never change (`turns`): each is looked at while it is the last.
    shown = view | {"rounds": view["rounds"][-1:]}
    with exam.doing(f"writing {name} as JSON", "Views hold plain JSON: dict, list, str, int, ..."):
        again = json.loads(json.dumps(shown, allow_nan=False))
    if spot := first_difference(shown, again, name):
        raise exam.fault(
            f"{name} is not plain JSON: {spot}", "Use lists, not tuples or sets, and texts as keys"
        )
    match = exam.match
    told: dict[str, Any] = {
        "hand": None if reader is None else match.hand(reader),
        "trick": [list(entry) for entry in match.trick],
        "trump": match.trump,
        "hand_sizes": [len(match.hand(seat)) for seat in exam.seats],
    }
    for key, value in told.items():
        if view[key] != value:
            raise exam.fault(
                f"{name}[{key!r}] is {quote(view[key])} where the match says {quote(value)}",
                "The view and the match tell the same",
            )
    points = view["points"]
    if not isinstance(points, list) or len(points) != exam.game.players:
        raise exam.fault(
            f"{name}['points'] is {quote(points)}",
            "Give one number for each seat, None where the reader may not see it",
        )


def check_spectator(exam: Examination, path: str, own: object, seats: list[Any]) -> None:
    """A spectator sees what all seats see: nothing more, and nothing less."""
    if own in NOTHING:
        shared = seats[0]
        if shared not in NOTHING and all(same(one, shared) for one in seats):
            raise exam.fault(
                f"{path} is {quote(own)} although every seat sees {quote(shared)}",
                "A spectator sees what all seats see",
            )
        return
    if isinstance(own, dict) and all(isinstance(one, dict) for one in seats):
        for key, inner in own.items():
            check_spectator(exam, f"{path}[{key!r}]", inner, [one.get(key) for one in seats])
        return
    if isinstance(own, list) and all(isinstance(one, list) for one in seats):
        if all(len(one) == len(own) for one in seats):
            for number, inner in enumerate(own):
                check_spectator(exam, f"{path}[{number}]", inner, [one[number] for one in seats])
            return
        seats = [one for one in seats if not contains(one, own)]
    elif all(type(one) is type(own) and one == own for one in seats):
        return
    if seats:
        raise exam.fault(
            f"{path} is {quote(own)}, which not every seat sees",
            "table(None) is for a spectator, who sees what all seats see and no more: seat is None "
            "there, not 0",
        )


def contains(whole: Iterable[object], part: Iterable[object]) -> bool:
    """Whether all members of a part are members of the whole."""
    texts = [encoded(one) for one in whole]
    return all(encoded(one) in texts for one in part)


def check_copies(exam: Examination) -> None:
    """Whoever writes into what a match handed out changes nothing in the match."""
    match = exam.match
    handed: list[tuple[str, object]] = [
        *((f"view({reader})", match.view(reader)) for reader in exam.readers),
        ("record()", match.record()),
        ("rounds", match.rounds),
        ("standing", match.standing),
        ("winners", match.winners),
        *((f"legal({seat})", match.legal(seat)) for seat in match.to_act[:1]),
        *((f"private({seat})", match.private(seat)) for seat in exam.seats),
    ]
    for name, thing in handed:
        spoil(thing)
        if not same(exam.now, state(match)):
            raise exam.fault(
                f"writing into {name} changes the match", "Hand out copies: list(self.something)"
            )


def spoil(thing: object) -> None:
    """Empties every list and object of a value."""
    if isinstance(thing, dict):
        for inner in thing.values():
            spoil(inner)
        thing.clear()
    elif isinstance(thing, list):
        for inner in thing:
            spoil(inner)
        thing.clear()
