"""The play of a match, as it stands in a record and as a device sees it."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import jasstisch as jt

GAME: Final = "differenzler"
CARDS_PER_PACK: Final = 36
MOVES_TO_TRICK: Final = 8
"""Four bids and a trick."""

OPTIONS: Final[Mapping[str, Any]] = {"dealer": 0, "trump": "bottom"}
"""With these options every pack is dealt: none is there to draw the dealer or trumps."""


@dataclass(frozen=True, slots=True)
class Step:
    """What a device is told of the play.

    Attributes:
        event: the event that has led to the view, as plain JSON; None for a snapshot.
        view: the view of the device's seat.
        said: for each seat its last action besides cards since the last pack.
        packs: how many packs have been dealt.
        room: the game and its options, as the room tells them.
    """

    event: Mapping[str, Any] | None
    view: Mapping[str, Any]
    said: Sequence[str | None]
    packs: int
    room: Mapping[str, Any]

    @property
    def seen(self) -> tuple[object, ...]:
        """What a device can compare: actions, its hand, and the result."""
        view = self.view
        result = (view["standing"], view["winners"]) if view["over"] else None
        cards = view["tricks"], view["trick"]
        return self.event, self.said, cards, view.get("hand"), result


@dataclass(frozen=True, slots=True)
class Play:
    """A match in which everybody makes their first legal move, as far as is not said otherwise.

    Attributes:
        packs: the packs that are dealt in it.
        players: the players by seat.
        options: the options of the game besides `OPTIONS`.
        last_moves: how many moves are made after the last pack; -1 for all until the next one.
        other_card: in the place of which card, counted from 0, the last legal one is played; None
            for none.
    """

    packs: Sequence[Sequence[str]]
    players: Sequence[str]
    options: Mapping[str, Any] = field(default_factory=dict)
    last_moves: int = 0
    other_card: int | None = None

    def record(self) -> Mapping[str, object]:
        """The record of the match."""
        *_, (match, _) = self._moves()
        return match.record()

    def steps(
        self, seat: int | None, first: int = 0, *, snapshots: Container[int] = ()
    ) -> Iterator[Step]:
        """What a seat is told of the match.

        Args:
            seat: the seat; None for a spectator.
            first: the step with which it begins, a snapshot if that is not the start of the match.
            snapshots: the steps of which it is told by a snapshot.
        """
        packs = 0
        said: list[str | None] = [None] * len(self.players)
        rules = jt.game(GAME, **OPTIONS, **self.options)
        room = {"game": GAME, "options": dict(rules.options)}
        for number, (match, (kind, actor)) in enumerate(self._moves()):
            event: dict[str, Any] = {"kind": kind}
            if kind == "pack":
                packs += 1
                said = [None] * len(self.players)
            if actor is not None:
                action = match.describe_last_action(seat)
                event |= {"seat": actor, "action": action, "by": "person"}
                if not action.startswith("play "):
                    said[actor] = action
            if number >= first:
                whole = number == first > 0 or number in snapshots
                yield Step(None if whole else event, match.view(seat), [*said], packs, room)

    def _moves(self) -> Iterator[tuple[jt.Match, tuple[str, int | None]]]:
        """The match after its start, each pack and each move, with what has happened."""
        match = jt.Match(jt.game(GAME, **OPTIONS, **self.options), list(self.players))
        cards = 0
        yield match, ("started", None)
        for number, pack in enumerate(self.packs, start=1):
            match.deal(pack)
            yield match, ("pack", None)
            left = self.last_moves if number == len(self.packs) else -1
            while left and not (match.needs_pack or match.over):
                seat = match.to_act[0]
                legal = match.legal(seat)
                is_card = legal[0].startswith("play ")
                match.act(seat, legal[-1 if is_card and cards == self.other_card else 0])
                yield match, ("acted", seat)
                cards += is_card
                left -= 1
